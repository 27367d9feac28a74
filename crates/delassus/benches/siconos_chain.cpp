// A chain of equal touching balls, the first at 1 m/s, under Siconos's MultipleImpact: Hertz contacts of
// equal stiffness, e = 1. Built and run by siconos_chain.py, because the Python bindings lack MultipleImpact.
//
// Arguments: balls, impulse step, threshold (a negative one leaves Siconos's own).
// Prints JSON: post-impact velocities and CPU seconds of the impact alone.

#include <MultipleImpact.hpp>
#include <MultipleImpactNSL.hpp>
#include <SiconosException.hpp>
#include <SiconosKernel.hpp>

#include <cstdio>
#include <ctime>

// EventDriven solves the impact inside an event; this times the solution without the event's bookkeeping.
struct TimedImpact : MultipleImpact {
  double seconds = 0.0;
  using MultipleImpact::MultipleImpact;
  int compute(double time) override {
    const std::clock_t start = std::clock();
    const int info = MultipleImpact::compute(time);
    seconds += double(std::clock() - start) / CLOCKS_PER_SEC;
    return info;
  }
};

static void run(unsigned balls, double step, double threshold) {
  auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1.0);
  std::vector<SP::LagrangianLinearTIDS> chain;
  for (unsigned i = 0; i < balls; ++i) {
    auto position = std::make_shared<SiconosVector>(1, double(i));
    auto velocity = std::make_shared<SiconosVector>(1, i == 0 ? 1.0 : 0.0);
    auto mass = std::make_shared<SimpleMatrix>(1, 1);
    (*mass)(0, 0) = 1.0;
    chain.push_back(std::make_shared<LagrangianLinearTIDS>(position, velocity, mass));
    system->insertDynamicalSystem(chain.back());
  }
  for (unsigned i = 1; i < balls; ++i) {
    auto normal = std::make_shared<SimpleMatrix>(1, 2);
    (*normal)(0, 0) = -1.0;
    (*normal)(0, 1) = 1.0;
    auto offset = std::make_shared<SiconosVector>(1, -1.0); // the balls are 1 m apart: gap 0
    auto law = std::make_shared<MultipleImpactNSL>(1.0, 1.0, 1.5); // restitution, stiffness, exponent
    auto relation = std::make_shared<LagrangianLinearTIR>(normal, offset);
    system->link(std::make_shared<Interaction>(law, relation), chain[i - 1], chain[i]);
  }

  auto impact = std::make_shared<TimedImpact>("BiStiffness", step);
  impact->SetNstepMax(4000000000u);
  if (threshold >= 0.0) {
    impact->setTolImpact(threshold);
    impact->SetTolVel(threshold);
    impact->SetTolEner(threshold);
    impact->SetZeroVelEndImp(threshold);
    impact->SetZeroEnerEndImp(threshold);
  }
  auto simulation = std::make_shared<EventDriven>(system, std::make_shared<TimeDiscretisation>(0.0, 1e-3));
  simulation->insertIntegrator(std::make_shared<LsodarOSI>());
  simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  simulation->initialize();
  simulation->advanceToEvent(); // the balls touch at once: the first event is the impact
  simulation->processEvents();

  std::printf("{\"velocity\": [");
  for (unsigned i = 0; i < balls; ++i) {
    std::printf("%s%.17g", i == 0 ? "" : ", ", (*chain[i]->velocity())(0));
  }
  std::printf("], \"seconds\": %.6f}\n", impact->seconds);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s BALLS STEP THRESHOLD\n", argv[0]);
    return 2;
  }
  try {
    run(unsigned(std::stoul(argv[1])), std::stod(argv[2]), std::stod(argv[3]));
  } catch (...) {
    Siconos::exception::process();
    return 1;
  }
  return 0;
}
