// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/scenario"
)

// Plot draws objects a second against the number of objects, a line a subject, as SVG.
func Plot(path string, results Results) error {
	p := plot.New()
	p.Title.Text = "Objects applied a second"
	p.X.Label.Text = "number of MarkdownViews"
	p.Y.Label.Text = "applied a second"
	p.Y.Min = 0
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, ticks(results)
	// At the left, so that a viewer's wider font writes over nothing.
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	drawn := false
	for i, subject := range order {
		s := seriesOf(results, subject, false)
		var points plotter.XYs
		for _, size := range s.sizes() {
			if value, ok := s.median(size, perSecond); ok {
				points = append(points, plotter.XY{X: float64(size), Y: value})
			}
		}
		if len(points) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return fmt.Errorf("plot of %s: %w", subject, err)
		}
		line.Color, marks.Color, marks.Shape = plotutil.Color(i), plotutil.Color(i), plotutil.Shape(i)
		line.Width, marks.Radius = vg.Points(2), vg.Points(4)
		p.Add(line, marks)
		drawn = true
		p.Legend.Add(titles[subject], line, marks)
	}
	// Room for the legend above the highest line.
	p.Y.Max *= 1.35
	// And for the outermost labels of the logarithmic axis.
	if !drawn {
		return nil // Everything was measured with kwok's pods, which are not compared with the rest.
	}
	p.X.Min, p.X.Max = p.X.Min/1.2, p.X.Max*1.2
	if err := p.Save(18*vg.Centimeter, 11*vg.Centimeter, path); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}

// ticks marks the measured sizes.
func ticks(results Results) plot.ConstantTicks {
	var out plot.ConstantTicks
	seen := map[int]bool{}
	for _, subject := range []scenario.Subject{scenario.Operator, scenario.Bare} {
		for _, size := range seriesOf(results, subject, false).sizes() {
			if !seen[size] {
				out = append(out, plot.Tick{Value: float64(size), Label: strconv.Itoa(size)})
			}
			seen[size] = true
		}
	}
	return out
}
