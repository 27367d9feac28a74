//! Whole figures: bytes, well-formedness, no overlaps, nothing outside its box.

use super::draw::draw;
use super::*;

fn wave(k: usize) -> Series {
    let f = move |t: f64| (1.0 + 0.3 * k as f64) * (t * (1.0 + 0.2 * k as f64)).sin();
    Series::function(0.0, 6.0, 300, f).label(format!("ε = 0.{k}, γ₁⁺"))
}

fn scaled(x: f64, y: f64) -> Panel {
    let points = (0..50).map(|k| (x * k as f64, y * (0.3 * k as f64).cos()));
    Panel::new(Axis::new("a rather long label x [m/s]"), Axis::new("y [N·s]"))
        .title("a title")
        .add(Series::line(points).label("first"))
        .add(Series::scatter([(0.0, 0.0), (20.0 * x, y)]).label("second, with a longer name"))
}

fn map() -> Panel {
    let names = ["stick", "slip", "reversal"].map(Category::new).to_vec();
    let regions = Regions::new(CellGrid::uniform((0.0, 1.0), 400, (0.0, 2.0), 400), names, |x, y| {
        usize::from(y > x) + usize::from(y > 1.0 + x * x)
    });
    Panel::new(Axis::new("μ"), Axis::new("ε")).add(regions.edges())
}

fn heat(scale: f64) -> Panel {
    let grid = CellGrid::uniform((0.0, 1.0), 400, (0.0, 1.0), 400);
    let field = Field::new(grid, |x, y| scale * (x * y).sin()).label("D [J]");
    Panel::new(Axis::new("x"), Axis::new("y")).add(field)
}

fn law() -> Panel {
    Panel::new(Axis::new("−Λ").ticks_at([(1.0, "μΛ")]), Axis::new("γ")).arrows().add(Series::line([
        (-1.0, -1.0),
        (-1.0, 0.0),
        (1.0, 0.0),
        (1.0, 1.0),
    ]))
}

fn log(lo: i32, hi: i32) -> Panel {
    let points = (lo..=hi).map(|e| (10f64.powi(e), 10f64.powi(-2 * e)));
    Panel::new(Axis::new("k").log(), Axis::new("error").log()).add(Series::line(points).markers().label("fit"))
}

/// Data that trips careless code.
fn nasty() -> Vec<Panel> {
    let axes = || Panel::new(Axis::new("x"), Axis::new("y"));
    let line = |p: &[(f64, f64)]| axes().add(Series::line(p.to_vec()).label("l")).add(Series::scatter(p.to_vec()));
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    vec![
        axes(),
        line(&[]),
        line(&[(3.0, 4.0)]),
        line(&[(0.0, 0.0), (1.0, 0.0)]),
        line(&[(5.0, 7.0), (5.0, 7.0)]),
        line(&[(nan, nan), (nan, 1.0)]),
        line(&[(0.0, inf), (1.0, -inf), (inf, 0.0), (2.0, 1.0)]),
        line(&[(-1.7e308, -1.7e308), (1.7e308, 1.7e308)]),
        line(&[(1e6, 1.0), (1e6 + 1e-5, 1.0 + 1e-15)]),
        line(&[(5e-324, 1e-310), (1e-310, 5e-324)]),
        Panel::new(Axis::new("x").log(), Axis::new("y").log()).add(Series::line([(-1.0, 1.0), (0.0, 0.0)])),
        Panel::new(Axis::new("x").log(), Axis::new("y").log()).add(Series::line([(1e-300, 1.0), (1e300, 2.0)])),
        Panel::new(Axis::new("x").range(2.0, 2.0), Axis::new("y").range(nan, 1.0)).add(wave(0)),
        Panel::new(Axis::new("x").range(6.0, 0.0), Axis::new("y").pi()).add(wave(0)),
        axes().add(Field::from_values(CellGrid { x: vec![], y: vec![1.0] }, vec![nan])),
        axes().add(Field::from_values(CellGrid::uniform((0.0, 1.0), 3, (0.0, 1.0), 3), vec![nan, 1.0])),
        axes().add(Regions::from_cells(CellGrid::around(&[1.0], &[]), vec![], vec![7])),
        axes().add(Area::polygon([(nan, 0.0), (1.0, 1.0)])).add(Text::new(nan, inf, "t")),
        axes().add(Arrow::new((0.0, 0.0), (0.0, 0.0))).add(Reference::vertical(nan)),
        Panel::new(Axis::new("<&>\"'\u{1}\u{ffff}_{unclosed"), Axis::new(""))
            .title("]]>")
            .add(Text::new(0.5, 0.5, "a<b\n^{}")),
    ]
}

fn all() -> Vec<Figure> {
    let mut figures: Vec<Figure> = nasty().into_iter().map(Figure::single).collect();
    let sizes = [1e-12, 1e-5, 1.0, 12345.678, 1e12];
    for x in sizes {
        figures.extend(sizes.map(|y| Figure::single(scaled(x, -y)).width(200.0)));
    }
    let mixed = || vec![scaled(1e-12, 1e12), heat(1e-7), law(), map(), log(-9, 9), log(0, 1)];
    figures.push(Figure::grid(3, mixed()).title("all"));
    figures.push(Figure::grid(2, mixed()).shared_legend().width(300.0));
    figures.push(Figure::grid(6, mixed()).width(900.0));
    for place in [LegendPlace::Right, LegendPlace::Below, LegendPlace::Auto] {
        let panel = Panel::new(Axis::new("t"), Axis::new("γ⁺")).extend((0..6).map(wave));
        figures.push(Figure::single(panel.legend(place)).title("six"));
        figures.push(Figure::single(heat(1.0).add(wave(0)).legend(place)));
    }
    figures.push(Figure::grid(3, nasty()).width(f64::NAN).aspect(0.0));
    figures.push(Figure::grid(0, vec![]));
    figures
}

#[test]
fn equal_figures_give_equal_bytes_and_valid_xml() {
    for (a, b) in all().iter().zip(all()) {
        let svg = to_svg(a);
        assert_eq!(svg, to_svg(&b));
        roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{e}\n{svg}"));
    }
}

#[test]
fn no_coordinate_is_missing() {
    for figure in all() {
        let svg = to_svg(&figure);
        let tree = roxmltree::Document::parse(&svg).unwrap();
        for a in tree.descendants().flat_map(|n| n.attributes()) {
            let bad = ["NaN", "inf"].iter().any(|w| a.value().contains(w));
            assert!(!bad || a.name() == "href", "{a:?}");
        }
    }
}

#[test]
fn labels_neither_overlap_nor_leave_the_sheet() {
    for figure in all() {
        let (layout, sheet) = draw(&figure);
        for (i, (name, r)) in sheet.labels.iter().enumerate() {
            let inside = r.x >= 0.0 && r.y >= 0.0 && r.right() <= layout.width && r.bottom() <= layout.height;
            assert!(inside, "{name} at {r:?} of {} × {}", layout.width, layout.height);
            for (other, s) in &sheet.labels[..i] {
                assert!(!r.overlaps(s), "{name} {r:?} over {other} {s:?}");
            }
        }
        for p in &layout.panels {
            for (_, r) in sheet.labels.iter().filter(|_| p.legend.is_none_or(|l| !l.1)) {
                // Only a legend in a corner may stand inside the axes (and names of arrow axes).
                assert!(!r.overlaps(&p.frame) || p.frame != p.outer, "{r:?} in {:?}", p.frame);
            }
        }
    }
}

#[test]
fn a_legend_inside_covers_no_data() {
    let falling = Series::line([(0.0, 1.0), (0.1, 0.1), (1.0, 0.0)]).label("falls");
    let panel = Panel::new(Axis::new("x"), Axis::new("y")).add(falling);
    let figure = Figure::single(panel);
    let (layout, _) = draw(&figure);
    let placed = &layout.panels[0];
    let (r, inside) = placed.legend.unwrap();
    assert!(inside);
    for k in 0..=1000 {
        let t = k as f64 / 1000.0;
        let y = if t < 0.1 { 1.0 - 9.0 * t } else { 0.1 * (1.0 - (t - 0.1) / 0.9) };
        assert!(!r.contains(placed.at([t, y])));
    }
    // Curves everywhere: it moves out.
    let full = Panel::new(Axis::new("x"), Axis::new("y"))
        .extend((0..6).map(|k| Series::function(0.0, 20.0, 500, move |t| (t + k as f64).sin()).label("s")));
    let (layout, _) = draw(&Figure::single(full));
    assert!(!layout.panels[0].legend.unwrap().1);
}

#[test]
fn curves_stay_inside_the_axes() {
    let steep = Series::function(0.0, 1.0, 500, |x| (40.0 * x).sin() * 100.0).color(Color::hex(0x123456));
    let panel = Panel::new(Axis::new("x").range(0.2, 0.8), Axis::new("y").range(-1.0, 1.0)).add(steep);
    let figure = Figure::single(panel);
    let frame = draw(&figure).0.panels[0].frame;
    let svg = to_svg(&figure);
    let tree = roxmltree::Document::parse(&svg).unwrap();
    let path = tree.descendants().find(|n| n.attribute("stroke") == Some("#123456")).unwrap();
    let numbers: Vec<f64> =
        path.attribute("d").unwrap().split(['M', 'L', ' ']).filter_map(|s| s.parse().ok()).collect();
    assert!(numbers.len() > 20);
    let slack = 0.006;
    for p in numbers.chunks(2) {
        assert!(p[0] >= frame.x - slack && p[0] <= frame.right() + slack);
        assert!(p[1] >= frame.y - slack && p[1] <= frame.bottom() + slack);
    }
}

#[test]
fn large_data_makes_small_files() {
    let points = (0..200_000).map(|k| (k as f64, (0.01 * k as f64).sin() * (k as f64 * 0.7).cos()));
    let dense = to_svg(&Figure::single(Panel::new(Axis::new("t"), Axis::new("y")).add(Series::line(points))));
    assert!(dense.len() < 250_000, "{}", dense.len());
    let regions = to_svg(&Figure::single(map()));
    assert!(regions.len() < 60_000, "{}", regions.len());
    let field = to_svg(&Figure::single(heat(1.0)));
    assert!(field.len() < 400_000 && field.matches("<image").count() == 2, "{}", field.len());
}

#[test]
fn missing_cells_are_blank_and_the_others_are_at_their_place() {
    // Two columns, two rows: only the lower right cell belongs to the category.
    let grid = CellGrid::uniform((0.0, 2.0), 2, (0.0, 2.0), 2);
    let regions = Regions::from_cells(grid, vec![Category::new("")], vec![9, 0, 9, 9]);
    assert_eq!(regions.at(1.5, 0.5), Some(0));
    assert_eq!(regions.at(0.5, 0.5), None);
    assert_eq!(regions.at(2.0, 0.0), Some(0));
    assert_eq!(regions.at(2.1, 0.0), None);
    let figure = Figure::single(Panel::new(Axis::new("x"), Axis::new("y")).add(regions.clone()));
    let (layout, _) = draw(&figure);
    let p = &layout.panels[0];
    let d = regions.path(0, &p.x, &p.y);
    let corner = p.at([1.0, 0.0]).map(svg::number);
    assert_eq!(d.matches('Z').count(), 1);
    assert!(d.starts_with(&format!("M{} {}H", corner[0], corner[1])), "{d}");
}

#[test]
fn styles_differ_without_colour() {
    for i in 0..7 {
        for j in 0..i {
            assert_ne!(Dash::of_series(i), Dash::of_series(j));
            assert_ne!(Marker::of_series(i), Marker::of_series(j));
        }
    }
    for count in 2..=8 {
        let light: Vec<f64> = (0..count).map(|k| category_color(k, count).lightness()).collect();
        assert!(light.windows(2).all(|p| p[0] - p[1] > 0.05), "{count}: {light:?}");
    }
    for map in [ColorMap::Viridis, ColorMap::Cividis, ColorMap::Grey] {
        let light: Vec<f64> = (0..=50).map(|k| map.at(k as f64 / 50.0).lightness()).collect();
        assert!(light.windows(2).all(|p| p[1] > p[0]), "{map:?}");
    }
}

#[cfg(feature = "png")]
mod raster {
    use super::*;

    fn pixels(figure: &Figure) -> (u32, u32, Vec<u8>) {
        let bytes = to_png(figure, 100.0).unwrap();
        assert_eq!(bytes, to_png(figure, 100.0).unwrap());
        let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        let mut reader = decoder.read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut data).unwrap();
        (info.width, info.height, data)
    }

    #[test]
    fn text_is_drawn_with_the_bundled_font() {
        let picture = |label: &str| {
            let panel = Panel::new(Axis::new("x").no_ticks(), Axis::new("y").no_ticks());
            pixels(&Figure::single(panel.add(Text::new(0.5, 0.5, label)))).2
        };
        let dark = |data: &[u8]| data.iter().filter(|v| **v < 100).count();
        let blank = dark(&picture(" "));
        // U+10FFFE has no glyph: no symbol may look like the box drawn in its place.
        let symbols = ["θ", "μ", "γ⁺", "γ⁻", "Λ₁", "ε", "√", "°", "≤", "\u{10fffe}"];
        let pictures = symbols.map(picture);
        for (i, a) in pictures.iter().enumerate() {
            assert!(dark(a) > blank + 9, "{}", symbols[i]);
            for (j, b) in pictures[..i].iter().enumerate() {
                assert!(a != b, "{} looks like {}", symbols[i], symbols[j]);
            }
        }
    }

    #[test]
    fn a_field_has_its_colours_the_right_way_up() {
        let grid = CellGrid::uniform((0.0, 1.0), 2, (0.0, 1.0), 2);
        let field = Field::from_values(grid, vec![0.0, 1.0, 2.0, 3.0]);
        let figure = Figure::single(Panel::new(Axis::new(""), Axis::new("")).add(field));
        let (layout, _) = draw(&figure);
        let (width, _, data) = pixels(&figure);
        for (at, value) in [([0.25, 0.25], 0.0), ([0.75, 0.25], 1.0), ([0.25, 0.75], 2.0), ([0.75, 0.75], 3.0)] {
            let p = layout.panels[0].at(at).map(|v| (v * 100.0 / 72.0) as usize);
            let k = 3 * (p[1] * width as usize + p[0]);
            let c = ColorMap::Viridis.at(value / 3.0);
            assert_eq!(&data[k..k + 3], &[c.r, c.g, c.b], "{at:?}");
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let figure = Figure::single(map());
        for bad in [0.0, -1.0, f64::NAN, 1e9] {
            assert!(to_png(&figure, bad).is_err());
        }
    }
}
