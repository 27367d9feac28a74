"""Matrices of Pinocchio and MuJoCo, where they are installed: their own answers where these are defined."""

from __future__ import annotations

import numpy as np
import pytest

import delassus


def test_a_foot_of_pinocchio() -> None:
    pin = pytest.importorskip("pinocchio")
    model = pin.buildSampleModelHumanoid()
    data = model.createData()
    q = pin.neutral(model)
    # The base falls while it drifts forward; v is expressed in the frame of the base.
    v = np.zeros(model.nv)
    v[0], v[2] = 0.1, -0.5
    ankle = model.getJointId("rleg_wrist2_joint")
    corners = [(x, y, -0.1) for x in (-0.08, 0.08) for y in (-0.05, 0.05)]
    frames = [
        model.addFrame(pin.Frame(f"corner{i}", ankle, pin.SE3(np.eye(3), np.array(c)), pin.FrameType.OP_FRAME))
        for i, c in enumerate(corners)
    ]
    data = model.createData()
    pin.computeJointJacobians(model, data, q)
    pin.framesForwardKinematics(model, data, q)
    mass = pin.crba(model, data, q)
    assert np.allclose(mass, mass.T)
    rows = [pin.getFrameJacobian(model, data, f, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)[:3] for f in frames]
    normal = np.array([j[2] for j in rows])
    tangent = np.array([j[:2] for j in rows])
    for law in ("newton", "moreau", "poisson"):
        out = delassus.resolve(mass, v, normal, tangent, friction=0.6, law=law)
        assert out.status == "solved" and out.certificate.consistent, (law, out.verdict)
        assert out.energy.change < 0.0 and (out.gamma_plus.reshape(4, 3)[:, 0] > -1e-9).all()
    # One corner that sticks is what Pinocchio calls an impulse with restitution 0.
    out = delassus.resolve(mass, v, normal[0], tangent[0], friction=1e3, law="newton")
    expected = pin.impulseDynamics(model, data, q, v, rows[0], 0.0, 0.0)
    assert np.allclose(out.velocity, expected, atol=1e-9)


def test_a_box_of_mujoco() -> None:
    mujoco = pytest.importorskip("mujoco")
    xml = """<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .0999"><freejoint/><geom type="box" size=".2 .15 .1" mass="2"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qvel[:] = [0.3, 0.0, -1.0, 0.0, 0.0, 0.0]
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    if hasattr(data, "qM"):
        mujoco.mj_fullM(model, mass, data.qM)
    else:
        mujoco.mj_fullM(model, data, mass)
    jacobian = data.efc_J.reshape(-1, model.nv)
    first = [contact.efc_address for contact in data.contact]
    assert len(first) == 4 and all(contact.dim == 3 for contact in data.contact)
    normal = np.array([jacobian[k] for k in first])
    tangent = np.array([jacobian[k + 1 : k + 3] for k in first])
    velocity = data.qvel.copy()
    # Without friction a box that lands flat turns its fall around, and nothing else.
    out = delassus.resolve(mass, velocity, normal, restitution=0.5, law="poisson")
    assert np.allclose(out.velocity, [0.3, 0.0, 0.5, 0.0, 0.0, 0.0], atol=1e-9)
    # With friction it slows down; MuJoCo's normal points out of the plane, as ours do.
    out = delassus.resolve(mass, velocity, normal, tangent, friction=0.1, restitution=0.5, law="poisson")
    assert 0.0 < out.velocity[0] < 0.3 and out.certificate.consistent
    assert np.allclose(mass @ (out.velocity - velocity), out.impulses @ np.concatenate(
        [np.vstack([normal[i], tangent[i]]) for i in range(4)]), atol=1e-12)
