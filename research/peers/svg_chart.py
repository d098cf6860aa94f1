# SPDX-License-Identifier: Apache-2.0
"""Small curves beside each other, as an SVG for the docs: no plotting library is needed."""

import math
from xml.sax.saxutils import escape

GAP, LEFT, TOP, BOTTOM = 24, 62, 66, 52
STYLE = """
    text { fill: #3c4856; font-size: 12px; }
    .head { font-weight: 600; fill: #14202f; font-size: 14px; }
    .grid { stroke: #dfe4ea; } .frame { fill: none; stroke: #8a94a0; }
    .curve { fill: none; stroke-width: 2.2; stroke-linejoin: round; }"""


class Axis:
    """Values as places from 0 to 1: by their logarithms, or by themselves with by=float."""

    def __init__(self, ticks, low, high, by=math.log):
        self.ticks, self.by, self.low, self.scale = ticks, by, by(low), 1 / (by(high) - by(low))

    def at(self, value):
        return (self.by(value) - self.low) * self.scale


def panel(left, size, title, x, y, curves, colours, is_first):
    width, height = size

    def px(value):
        return f"{left + width * x.at(value):.1f}"

    def py(value):
        return f"{TOP + height * (1 - y.at(value)):.1f}"

    out = [f'<text class="head" x="{left}" y="{TOP - 12}">{escape(title)}</text>']
    for tick in x.ticks:
        out.append(f'<path class="grid" d="M{px(tick)} {TOP}v{height}"/>'
                   f'<text x="{px(tick)}" y="{TOP + height + 17}" text-anchor="middle">{tick:g}</text>')
    for tick in y.ticks:
        out.append(f'<path class="grid" d="M{left} {py(tick)}h{width}"/>')
        if is_first:
            out.append(f'<text x="{left - 7}" y="{float(py(tick)) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    out.append(f'<rect class="frame" x="{left}" y="{TOP}" width="{width}" height="{height}"/>')
    for name, points in curves.items():
        path = "L".join(f"{px(a)} {py(b)}" for a, b in points)
        out.append(f'<path class="curve" stroke="{colours[name]}" d="M{path}"/>')
    return out


def write(path, panels, x, y, x_title, y_title, colours, panel_size=(190, 200)):
    """panels: title -> name -> [(x, y)]; colours: name -> colour; x, y: the axes of all."""
    step = panel_size[0] + GAP
    size = (LEFT + step * len(panels), TOP + panel_size[1] + BOTTOM)
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<!-- SPDX-License-Identifier: Apache-2.0 -->",
           f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" '
           'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">',
           f"<style>{STYLE}\n</style>", f'<rect width="{size[0]}" height="{size[1]}" fill="#ffffff"/>']
    for i, (name, colour) in enumerate(colours.items()):
        at = LEFT + min(120, (size[0] - LEFT) // len(colours)) * i
        out.append(f'<path class="curve" stroke="{colour}" d="M{at} 20h24"/><text x="{at + 31}" y="24">{name}</text>')
    for i, (title, curves) in enumerate(panels.items()):
        out += panel(LEFT + step * i, panel_size, title, x, y, curves, colours, i == 0)
    middle = TOP + panel_size[1] // 2
    out.append(f'<text x="{(size[0] + LEFT) // 2}" y="{size[1] - 12}" text-anchor="middle">{escape(x_title)}</text>')
    out.append(f'<text transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">{escape(y_title)}</text>')
    out.append("</svg>\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))
