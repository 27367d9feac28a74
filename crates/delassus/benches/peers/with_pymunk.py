"""A scene of run.py in pymunk: prints the places at the end."""

import sys

import pymunk


def main():
    rows = [[float(x) for x in line.split()] for line in open(sys.argv[1])]
    _, steps, step, radius, friction, restitution = rows[0]
    walls = rows[2 : 2 + int(rows[1][0])]
    places = rows[3 + len(walls) :]
    space = pymunk.Space()
    space.gravity = (0, -9.81)
    # The defaults: 10 iterations. Nothing falls asleep.
    for x, y, nx, ny in walls:
        far = 100.0
        line = pymunk.Segment(space.static_body, (x + far * ny, y - far * nx), (x - far * ny, y + far * nx), 0.0)
        # pymunk multiplies the coefficients of both sides.
        line.friction, line.elasticity = friction**0.5, restitution**0.5
        space.add(line)
    bodies = []
    for x, y in places:
        body = pymunk.Body(1.0, pymunk.moment_for_circle(1.0, 0, radius))
        body.position = (x, y)
        disk = pymunk.Circle(body, radius)
        disk.friction, disk.elasticity = friction**0.5, restitution**0.5
        space.add(body, disk)
        bodies.append(body)
    for _ in range(int(steps)):
        space.step(step)
    for body in bodies:
        print(body.position.x, body.position.y)


main()
