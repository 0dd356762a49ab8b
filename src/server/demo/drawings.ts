/** What the demo's pictures show, by trade: flat drawings of 640 by 480, as parts of an SVG. */
import type { Random } from './random.ts'

type Colours = readonly [ground: string, light: string, dark: string, main: string, accent: string]
/** Four measures: where it begins, or its middle, and how far it goes. */
type Four = readonly [number, number, number, number]
const rect = ([x, y, w, h]: Four, fill: string, rx = 0) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${rx}" fill="${fill}"/>`
const disc = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`
const oval = ([x, y, rx, ry]: Four, fill: string, turn = 0) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" transform="rotate(${turn} ${x} ${y})"/>`
const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`
const times = (n: number, draw: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => draw(at)).join('')
const shade = (x: number, y: number, rx: number) => oval([x, y, rx, rx * 0.14], '#00000026')
/** A papered wall over a floor: without its stripes a plain picture would pass for a blurred one. */
const room = (wall: string, floor: string) =>
  rect([0, 0, 640, 480], wall) +
  times(27, at => rect([at * 24, 0, 3, 372], '#00000018')) +
  rect([0, 372, 640, 108], floor)
/** Steam over something hot. */
const steam = (x: number, y: number) =>
  times(3, at => line(`M${x + at * 34} ${y} c-14 -22 14 -34 0 -58`, '#ffffff99', 7))

/** Bits spread over a round dish. */
const bits = (
  random: Random,
  [x, y, far]: readonly [number, number, number],
  fills: readonly string[],
) =>
  times(random.int(16, 26), () => {
    const turn = random.next() * Math.PI * 2
    const off = Math.sqrt(random.next()) * far
    return oval(
      [
        Math.round(x + Math.cos(turn) * off),
        Math.round(y + Math.sin(turn) * off * 0.86),
        random.int(12, 30),
        random.int(9, 18),
      ],
      random.pick(fills),
      random.int(0, 180),
    )
  })

const hotpot = (random: Random, [ground, light, dark, main]: Colours) => {
  const side = (clip: string, broth: string, fills: readonly string[], x: number) =>
    path(clip, broth) + bits(random, [x, 250, 62], fills)
  const dishes = times(4, at => {
    const [x, y] = (
      [
        [92, 96],
        [548, 96],
        [92, 404],
        [548, 404],
      ] as const
    )[at]!
    return disc(x, y, 62, light) + bits(random, [x, y, 26], [main, '#f3b6b0', '#8fae5a'])
  })
  return (
    rect([0, 0, 640, 480], ground) +
    dishes +
    disc(326, 262, 184, '#00000026') +
    disc(320, 250, 180, dark) +
    side(
      'M320 100 A150 150 0 0 0 320 400 C250 350 390 300 320 250 C250 200 390 150 320 100 Z',
      '#b5341f',
      ['#d9572a', '#8f1f14', '#e9a33a', '#5d8a3a'],
      238,
    ) +
    side(
      'M320 100 A150 150 0 0 1 320 400 C250 350 390 300 320 250 C250 200 390 150 320 100 Z',
      '#f0e2c0',
      ['#fffaf2', '#8fae5a', '#e9c07a', '#f2c9b0'],
      402,
    ) +
    steam(286, 190)
  )
}
const fish = (random: Random, [ground, light, dark, , accent]: Colours) =>
  rect([0, 0, 640, 480], ground) +
  rect([96, 120, 448, 250], dark, 28) +
  rect([116, 140, 408, 210], '#7a2a18', 20) +
  bits(random, [320, 245, 160], ['#c1542f', '#5d8a3a', '#d8c65a']) +
  path(
    'M160 246 C230 156 400 156 460 240 L520 196 L510 246 L522 300 L460 254 C400 336 230 336 160 246 Z',
    random.pick(['#c98d4e', '#9aa3a0', '#b5713c']),
  ) +
  times(5, at => line(`M${250 + at * 42} 200 q16 46 0 92`, dark, 6)) +
  disc(204, 236, 9, light) +
  disc(204, 236, 4, '#222222') +
  times(9, () =>
    oval([random.int(200, 450), random.int(180, 310), 12, 5], accent, random.int(0, 180)),
  )
const sushi = (random: Random, [ground, light, dark]: Colours) => {
  const piece = (x: number, y: number) =>
    random.chance(0.6)
      ? oval([x, y + 14, 62, 26], '#fffdf5') +
        oval([x, y - 4, 66, 22], random.pick(['#c1442f', '#e7825d', '#f0b7a0', '#d98f6b'])) +
        line(`M${x - 30} ${y - 8} q12 8 26 -6 M${x + 4} ${y - 6} q12 8 26 -6`, '#ffffff88', 5)
      : rect([x - 38, y - 26, 76, 56], '#26352b', 12) +
        oval([x, y - 24, 38, 15], '#fffdf5') +
        oval([x, y - 24, 15, 7], random.pick(['#e7825d', '#8fae5a', '#f0c36a']))
  return (
    rect([0, 0, 640, 480], ground) +
    rect([70, 110, 500, 270], dark, 16) +
    rect([84, 124, 472, 242], light, 10) +
    times(8, at => piece(160 + (at % 4) * 108, 196 + Math.floor(at / 4) * 106)) +
    line('M60 410 L580 436', '#6b4226', 9) +
    line('M60 430 L580 452', '#6b4226', 9)
  )
}
const cake = (random: Random, [ground, light, , main, accent]: Colours) =>
  room(ground, light) +
  shade(320, 400, 210) +
  oval([320, 392, 210, 26], '#ffffff') +
  rect([180, 210, 280, 176], light, 18) +
  rect([180, 286, 280, 30], main) +
  path(
    'M180 226 q0 -36 36 -36 h208 q36 0 36 36 v22 q-18 34 -36 0 q-18 46 -40 0 q-20 40 -44 0 q-20 52 -44 0 q-20 38 -40 0 q-20 44 -40 0 q-18 30 -36 0 Z',
    accent,
  ) +
  times(
    5,
    at =>
      disc(216 + at * 52, 186, 17, random.pick(['#b8243f', '#d9415d', '#7a2f59'])) +
      line(`M${216 + at * 52} 172 l6 -16`, '#5d8a3a', 5),
  ) +
  times(
    random.int(1, 4),
    at =>
      rect([262 + at * 38, 104, 8, 62], '#ffffff') + oval([266 + at * 38, 92, 6, 12], '#f0a23a'),
  )
const cup = (random: Random, [ground, light, dark, , accent]: Colours) =>
  room(ground, light) +
  shade(306, 414, 150) +
  (random.chance(0.5)
    ? path('M220 140 h180 l-22 268 h-136 Z', '#ffffffcc') +
      path(
        'M227 200 h166 l-17 208 h-132 Z',
        random.pick(['#b98556', '#7fb36b', '#d9822b', '#e58aa0']),
      ) +
      path('M227 200 h166 l-5 60 q-40 26 -78 4 t-78 -4 Z', accent) +
      rect([208, 122, 204, 24], dark, 10) +
      line('M338 124 L364 44', dark, 10)
    : oval([306, 408, 170, 20], '#ffffff') +
      path('M196 210 h220 q0 190 -110 190 t-110 -190 Z', light) +
      line('M414 244 q70 0 60 52 q-14 46 -80 44', light, 20) +
      oval([306, 212, 110, 30], '#4a2f20') +
      oval([306, 212, 94, 22], random.pick(['#8a5a33', '#b98556'])) +
      path(
        'M306 226 c-34 -12 -34 -30 -14 -28 q12 2 14 10 q2 -8 14 -10 c20 -2 20 16 -14 28 Z',
        accent,
      ) +
      steam(276, 170))
const hair = (random: Random, [ground, light, dark, main, accent]: Colours) =>
  room(ground, dark) +
  rect([190, 56, 260, 300], accent, 130) +
  rect([206, 72, 228, 268], light, 114) +
  path('M270 340 q-6 -60 50 -64 q56 4 50 64 Z', main) +
  oval([320, 214, 46, 58], '#f2c9b0') +
  path(
    random.chance(0.5)
      ? 'M262 232 q-10 -98 58 -98 q70 0 58 98 q-16 -50 -40 -60 q-54 4 -76 60 Z'
      : 'M266 300 q-24 -166 54 -166 q80 0 54 166 q-18 -20 -16 -100 q-40 -8 -56 -28 q-16 26 -26 34 q6 60 -10 94 Z',
    '#3a2a22',
  ) +
  line('M96 120 L150 300 M150 120 L96 300', '#8f99a8', 12) +
  `<circle cx="90" cy="326" r="22" fill="none" stroke="${main}" stroke-width="10"/><circle cx="156" cy="326" r="22" fill="none" stroke="${main}" stroke-width="10"/>` +
  rect([508, 132, 26, 220], main, 6) +
  times(9, at => rect([534, 140 + at * 23, 34, 9], main, 4))
const nails = (random: Random, [ground, light, dark, main, accent]: Colours) => {
  const polish = (x: number, fill: string) =>
    shade(x + 30, 418, 44) +
    rect([x, 300, 60, 116], fill, 12) +
    rect([x + 8, 316, 12, 70], '#ffffff66', 6) +
    rect([x + 16, 216, 28, 88], dark, 6)
  return (
    rect([0, 0, 640, 480], ground) +
    rect([0, 396, 640, 84], light) +
    times(5, at => {
      const [x, y] = [92 + at * 54, [150, 96, 78, 98, 168][at]!]
      return (
        rect([x, y, 46, 250], '#f2c9b0', 23) +
        rect([x + 8, y + 6, 30, 52], random.pick([main, accent, '#d9415d', '#7a5ea8']), 15)
      )
    }) +
    rect([92, 270, 262, 150], '#f2c9b0', 60) +
    polish(404, main) +
    polish(478, accent) +
    polish(552, '#c94f7c')
  )
}
const spa = (random: Random, [ground, light, dark, main, accent]: Colours) =>
  room(ground, light) +
  shade(250, 420, 150) +
  oval([250, 404, 120, 30], '#4a4f55') +
  oval([254, 356, 96, 27], '#5d646b') +
  oval([248, 312, 70, 23], '#737b83') +
  path(
    'M248 292 q-52 -40 -16 -92 q16 26 16 92 q4 -66 22 -90 q34 52 -22 90 Z',
    random.pick(['#7fa36b', main]),
  ) +
  times(3, at => rect([420, 366 - at * 42, 170, 38], at % 2 ? accent : '#ffffff', 16)) +
  rect([96, 316, 36, 92], '#fff6e5', 6) +
  rect([40, 344, 36, 64], '#fff6e5', 6) +
  oval([114, 300, 8, 17], '#f0a23a') +
  oval([58, 328, 8, 17], '#f0a23a') +
  line('M508 240 q-6 -90 30 -150 M512 200 q30 -30 60 -26 M516 160 q-34 -20 -56 -10', dark, 6)
const escape = (random: Random) => {
  const glow = random.pick(['#e8b04a', '#7fd1c0', '#c94f4f'])
  return (
    rect([0, 0, 640, 480], '#17151f') +
    times(7, row =>
      times(9, at =>
        rect(
          [at * 76 - (row % 2) * 38, row * 54, 72, 50],
          random.pick(['#22202c', '#272432', '#1e1c27']),
        ),
      ),
    ) +
    rect([0, 376, 640, 104], '#100f16') +
    path('M212 380 V150 a108 108 0 0 1 216 0 V380 Z', glow) +
    path('M228 380 V154 a92 92 0 0 1 184 0 V380 Z', '#3b2a1d') +
    times(3, at => rect([252 + at * 50, 120, 6, 260], '#2b1e14')) +
    disc(320, 244, 30, glow) +
    disc(320, 238, 10, '#17151f') +
    path('M314 242 h12 l6 26 h-24 Z', '#17151f') +
    path('M212 380 h216 l80 100 h-376 Z', `${glow}44`) +
    line('M92 210 v-40', '#6b5a3c', 8) +
    oval([92, 156, 12, 24], glow) +
    line('M548 210 v-40', '#6b5a3c', 8) +
    oval([548, 156, 12, 24], glow)
  )
}
const playground = (random: Random, [ground, light, , main, accent]: Colours) => {
  const balls = ['#e0607a', '#f0c36a', '#5fa3d1', '#7fb36b', '#a984c4']
  return (
    rect([0, 0, 640, 480], ground) +
    rect([60, 150, 150, 230], light, 8) +
    path('M48 152 L135 76 L222 152 Z', main) +
    rect([108, 200, 54, 60], accent, 27) +
    path('M206 190 q40 -6 70 60 t150 130 l-40 26 q-110 -50 -150 -110 t-40 -60 Z', accent) +
    line('M470 90 v290 M560 90 v290 M462 90 h106', main, 12) +
    line('M492 92 v170 M540 92 v170', '#8a7350', 5) +
    rect([482, 260, 68, 14], '#6b4226', 5) +
    times(70, () =>
      disc(random.int(10, 630), random.int(388, 474), random.int(14, 22), random.pick(balls)),
    )
  )
}
const gym = (random: Random, [ground, light, dark, main, accent]: Colours) => {
  const bell = (x: number, y: number, r: number) =>
    line(`M${x - 130} ${y} h260`, '#8f99a8', 16) +
    times(2, at => {
      const side = at === 0 ? -1 : 1
      return (
        rect([x + side * 92 - 20, y - r, 40, r * 2], dark, 10) +
        rect([x + side * 130 - 14, y - r * 0.7, 28, r * 1.4], main, 8)
      )
    })
  return (
    room(ground, light) +
    rect([40, 60, 230, 240], light, 6) +
    rect([370, 60, 230, 240], light, 6) +
    times(4, at =>
      rect(
        [
          ([150, 40, 480, 370] as const)[at]!,
          at % 2 ? 174 : 60,
          at % 2 ? 230 : 8,
          at % 2 ? 8 : 240,
        ],
        accent,
      ),
    ) +
    (random.chance(0.5)
      ? oval([320, 430, 240, 26], accent) + bell(320, 366, 58)
      : oval([320, 440, 260, 24], accent) +
        disc(320, 168, 34, '#f2c9b0') +
        path('M290 206 h60 l20 120 q96 60 96 96 h-292 q0 -36 96 -96 Z', main) +
        line('M296 224 L230 140 L318 84 M344 224 L410 140 L322 84', '#f2c9b0', 20))
  )
}
const snack = (random: Random, [ground, light, dark, main, accent]: Colours) =>
  room(ground, light) +
  shade(320, 424, 150) +
  path('M190 96 h260 l-10 20 l14 292 l-16 18 h-236 l-16 -18 l14 -292 Z', main) +
  rect([190, 92, 260, 22], dark, 4) +
  rect([196, 404, 248, 22], dark, 4) +
  oval([320, 236, 92, 74], '#ffffffdd') +
  bits(random, [320, 236, 52], [accent, '#c9965e', '#8a5a2f']) +
  rect([246, 340, 148, 14], '#ffffffaa', 7) +
  rect([276, 366, 88, 10], '#ffffff77', 5)
const bottle = (random: Random, [ground, light, dark, main, accent]: Colours) => {
  const one = (x: number, tall: number, fill: string) =>
    shade(x, 424, 62) +
    rect([x - 16, 420 - tall, 32, 80], fill, 8) +
    path(
      `M${x - 16} ${490 - tall} q-36 30 -36 70 V400 q0 24 24 24 h56 q24 0 24 -24 V${560 - tall} q0 -40 -36 -70 Z`,
      fill,
    ) +
    rect([x - 20, 402 - tall, 40, 26], dark, 6) +
    rect([x - 44, 300, 88, 76], '#fff6e5', 6) +
    disc(x, 328, 15, accent)
  return (
    room(ground, light) +
    one(240, 330, main) +
    one(400, random.int(250, 320), random.pick(['#3f5f3a', '#6b2d2d', accent]))
  )
}
const skincare = (random: Random, [ground, light, dark, main, accent]: Colours) =>
  room(ground, light) +
  oval([320, 418, 250, 26], accent) +
  rect([170, 190, 96, 216], main, 22) +
  rect([188, 130, 60, 66], dark, 10) +
  rect([186, 250, 64, 70], '#ffffffcc', 6) +
  path('M316 170 h96 l-10 214 h-76 Z', '#ffffff') +
  rect([322, 382, 84, 26], dark, 8) +
  rect([336, 220, 56, 80], main, 6) +
  rect([446, 316, 108, 90], random.pick([accent, '#f0b7cf']), 20) +
  rect([440, 290, 120, 34], '#ffffff', 10) +
  path('M96 410 q-30 -90 20 -150 q30 80 -20 150 Z', '#7fa36b')
const storage = (random: Random, [ground, light, dark, main, accent]: Colours) => {
  const box = (x: number, y: number, w: number, fill: string) =>
    rect([x, y, w, 110], `${fill}cc`, 10) +
    rect([x - 8, y - 12, w + 16, 24], dark, 8) +
    rect([x + w / 2 - 26, y + 46, 52, 14], '#ffffffaa', 7)
  return (
    room(ground, light) +
    shade(320, 422, 220) +
    box(140, 308, 190, main) +
    box(346, 308, 160, accent) +
    box(168, 178, 160, random.pick([accent, '#8fae9a'])) +
    box(356, 178, 136, main) +
    line('M560 60 L540 390', '#8a7350', 10) +
    path('M508 384 h70 l16 40 h-100 Z', main)
  )
}
const toys = (random: Random, [ground, light, , main, accent]: Colours) => {
  const woods = [main, accent, '#e0607a', '#5fa3d1', '#f0c36a', '#7fb36b']
  return (
    room(ground, light) +
    times(6, at => {
      const [x, y] = [150 + (at % 3) * 84 + (at > 2 ? 42 : 0), at > 2 ? 220 : 300]
      return (
        rect([x, y, 80, 80], woods[(at + random.int(0, 5)) % 6]!, 8) +
        rect([x + 14, y + 14, 52, 52], '#ffffff33', 6)
      )
    }) +
    path('M232 218 l42 -66 l42 66 Z', accent) +
    rect([430, 320, 130, 60], main, 12) +
    rect([500, 262, 60, 66], accent, 8) +
    rect([446, 290, 18, 34], '#6b4226') +
    times(3, at => disc(454 + at * 42, 388, 20, '#6b4226') + disc(454 + at * 42, 388, 8, light))
  )
}
/** A drawing for each trade and kind of goods of words.ts, by name; others have a dish. */
export const drawings: Readonly<Record<string, (random: Random, colours: Colours) => string>> = {
  火锅: hotpot,
  烤鱼: fish,
  日韩料理: sushi,
  面包甜点: cake,
  咖啡茶饮: cup,
  美发: hair,
  美甲美睫: nails,
  足疗按摩: spa,
  密室剧本: escape,
  亲子乐园: playground,
  健身瑜伽: gym,
  休闲零食: snack,
  酒水: bottle,
  护肤: skincare,
  收纳清洁: storage,
  益智玩具: toys,
}
