import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { drawings } from './drawings.ts'
import { entrySign, entrySigns, type EntrySign } from './entrySigns.ts'
import type { Random } from './random.ts'
import { goods, trades } from './words.ts'

export type Picture = {
  file_key: string
  mime: string
  size_bytes: number
  width: number
  height: number
  sharpness_x100: number
  sha256: string
}

/** The ground of a dish on a dark table. */
const DARK = '#2f2a28'
/** Colours of a dish, a drink, a parcel: background, plate, and what lies on it. */
const palettes = [
  ['#f6e7d3', '#fffaf2', ['#b5341f', '#d9572a', '#e98b3a', '#5d8a3a']],
  ['#e4ecdf', '#ffffff', ['#4f7d3b', '#88ad4f', '#d8c65a', '#c1542f']],
  [DARK, '#3d3836', ['#8d3a24', '#c4622d', '#e2a44b', '#f1dfb4']],
  ['#dfe9f2', '#ffffff', ['#e7a58d', '#f2c9b0', '#f6f0e6', '#6b9a6a']],
  ['#f7ded6', '#fff6f1', ['#b8243f', '#e0607a', '#f3b6b0', '#fff3dc']],
  ['#efe6d8', '#fbf6ec', ['#6b4226', '#94613a', '#c9965e', '#efd8b0']],
  ['#d8e6e4', '#f7fbfa', ['#2f6f73', '#5fa39b', '#f0c36a', '#e57f4f']],
  ['#ece4f1', '#fdfaff', ['#6d4c8f', '#a984c4', '#f0b7cf', '#f7e3a1']],
] as const
const dish = (random: Random) => {
  const [ground, plate, food] = random.pick(palettes)
  const blobs = Array.from({ length: random.int(18, 34) }, () => {
    const turn = random.next() * Math.PI * 2
    const far = Math.sqrt(random.next()) * 118
    return `<ellipse cx="${(320 + Math.cos(turn) * far).toFixed(1)}" cy="${(240 + Math.sin(turn) * far * 0.86).toFixed(1)}" rx="${random.int(14, 40)}" ry="${random.int(10, 26)}" transform="rotate(${random.int(0, 180)} 320 240)" fill="${random.pick(food)}" stroke="#00000022" stroke-width="2"/>`
  }).join('')
  const crumbs = Array.from(
    { length: 60 },
    () =>
      `<circle cx="${320 + random.int(-130, 130)}" cy="${240 + random.int(-110, 110)}" r="${random.int(2, 4)}" fill="${random.pick(food)}"/>`,
  ).join('')
  const grain = Array.from(
    { length: 14 },
    (_, at) =>
      `<path d="M0 ${at * 36 + random.int(0, 10)} H640" stroke="#00000014" stroke-width="2"/>`,
  ).join('')
  return `<rect width="640" height="480" fill="${ground}"/>${grain}<ellipse cx="328" cy="262" rx="216" ry="186" fill="#00000026"/><circle cx="320" cy="240" r="205" fill="${plate}"/><circle cx="320" cy="240" r="160" fill="none" stroke="#00000018" stroke-width="5"/>${blobs}${crumbs}`
}
const parcel = (random: Random) => {
  const [ground, plate, [dark, mid, light]] = random.pick(palettes)
  const stripes = Array.from(
    { length: random.int(3, 7) },
    (_, at) =>
      `<rect x="210" y="${150 + at * 32}" width="${random.int(90, 220)}" height="12" rx="6" fill="${at % 2 ? light : plate}"/>`,
  ).join('')
  return `<rect width="640" height="480" fill="${ground}"/><ellipse cx="330" cy="418" rx="180" ry="24" fill="#00000026"/><rect x="180" y="110" width="280" height="300" rx="${random.int(6, 44)}" fill="${mid}"/><rect x="180" y="110" width="280" height="${random.int(30, 70)}" rx="6" fill="${dark}"/>${stripes}<circle cx="${random.int(380, 420)}" cy="360" r="26" fill="${light}"/>`
}
const licence = () =>
  `<rect width="640" height="480" fill="#f4ecd8"/><rect x="24" y="24" width="592" height="432" fill="none" stroke="#b08d4a" stroke-width="10"/><rect x="44" y="44" width="552" height="392" fill="none" stroke="#b08d4a" stroke-width="2"/><circle cx="320" cy="104" r="34" fill="#c0392b"/>${Array.from({ length: 9 }, (_, at) => `<rect x="96" y="${176 + at * 26}" width="${[420, 380, 300, 440, 260, 400, 340, 200, 160][at]}" height="8" fill="#7a6a48"/>`).join('')}<circle cx="500" cy="384" r="46" fill="none" stroke="#c0392b" stroke-width="6"/>`

/** A wide scene: hills of one palette under a sun, for banners, areas and share cards. */
const scene = (random: Random, width: number, height: number) => {
  const [ground, plate, [dark, mid, light, bright]] = random.pick(palettes)
  const hill = (colour: string, top: number) =>
    `<path d="M0 ${height} V${top} C${width * 0.2} ${top - random.int(10, 60)} ${width * 0.35} ${top + random.int(0, 50)} ${width * 0.55} ${top - random.int(0, 40)} S${width * 0.85} ${top + random.int(0, 40)} ${width} ${top - random.int(0, 40)} V${height} Z" fill="${colour}"/>`
  const lights = Array.from(
    { length: 18 },
    () =>
      `<circle cx="${random.int(0, width)}" cy="${random.int(0, height)}" r="${random.int(2, 9)}" fill="${plate}" opacity="0.35"/>`,
  ).join('')
  return `<rect width="${width}" height="${height}" fill="${ground}"/><circle cx="${random.int(width * 0.55, width * 0.9)}" cy="${height * 0.36}" r="${height * 0.24}" fill="${bright}"/>${hill(light!, height * 0.55)}${hill(mid!, height * 0.7)}${hill(dark!, height * 0.84)}${lights}`
}
/** Pictures of the sizes that positions ask for, by name: how many, and their width and height. */
const sized = {
  'banner-home': [8, 800, 400],
  'banner-wide': [6, 810, 270],
  'banner-done': [3, 800, 320],
  'banner-search': [3, 1000, 200],
  area: [5, 800, 400],
  share: [6, 750, 600],
  'service-qr': [3, 480, 480],
  'live-cover': [4, 800, 800],
  'live-back': [3, 720, 1280],
} as const
export type Scenery = keyof typeof sized
export const sceneries = (of: Scenery): string[] =>
  Array.from({ length: sized[of][0] }, (_, at) => `demo/${of}-${at + 1}.webp`)
const sceneryOf = (key: string): readonly [number, number] | undefined => {
  const found = (Object.keys(sized) as Scenery[]).find(of =>
    new RegExp(`^demo/${of}-\\d+\\.webp$`).test(key),
  )
  return found && [sized[found][1], sized[found][2]]
}

/** The front of a shopping centre, and the plan of one of its floors. */
const facade = (random: Random) => {
  const [ground, plate, [dark, mid, light]] = random.pick(palettes)
  const storeys = random.int(3, 5)
  const windows = Array.from({ length: storeys }, (_, storey) =>
    Array.from(
      { length: 9 },
      (_, at) =>
        `<rect x="${112 + at * 48}" y="${150 + storey * 46}" width="34" height="28" fill="${random.chance(0.4) ? light : plate}"/>`,
    ).join(''),
  ).join('')
  return `<rect width="640" height="480" fill="#dfeaf5"/><rect y="400" width="640" height="80" fill="${ground}"/><rect x="90" y="120" width="460" height="290" rx="6" fill="${mid}"/><rect x="220" y="76" width="200" height="52" rx="4" fill="${dark}"/>${windows}<rect x="270" y="350" width="100" height="60" fill="${plate}"/><rect x="90" y="338" width="460" height="12" fill="${dark}"/>${Array.from({ length: 6 }, (_, at) => `<circle cx="${40 + at * 112}" cy="420" r="20" fill="#6f9b6a"/>`).join('')}`
}
const plan = (random: Random) => {
  const rooms = Array.from({ length: 9 }, (_, at) => ({
    x: 40 + at * 62,
    top: random.int(60, 110),
    low: random.int(60, 110),
  }))
  const shade = () => random.pick(['#e8f1fc', '#fcf1de', '#e4f3ea', '#f6f7f9', '#fceaea'])
  return `<rect width="640" height="480" fill="#ffffff"/><rect x="30" y="40" width="580" height="400" fill="none" stroke="#5f6b7c" stroke-width="4"/>${rooms.map(room => `<rect x="${room.x}" y="50" width="58" height="${room.top}" fill="${shade()}" stroke="#8f99a8"/><rect x="${room.x}" y="${430 - room.low}" width="58" height="${room.low}" fill="${shade()}" stroke="#8f99a8"/>`).join('')}<rect x="250" y="210" width="140" height="60" rx="30" fill="none" stroke="#8f99a8" stroke-width="2"/><path d="M300 225l40 30M300 255l40-30" stroke="#8f99a8" stroke-width="2"/>`
}
export const facadePictures = Array.from({ length: 6 }, (_, at) => `demo/facade-${at + 1}.webp`)
export const planPictures = Array.from({ length: 4 }, (_, at) => `demo/plan-${at + 1}.webp`)

/** How many pictures each trade has. */
const EACH = 6
/** What is sold by trade and by kind of goods, in the order of words.ts. */
const sold = [...trades.map(({ name }) => name), ...goods.map(({ name }) => name)]
const soldKeys = (at: number) =>
  Array.from({ length: EACH }, (_, n) => `demo/sold-${at + 1}-${n + 1}.webp`)
/** Pictures of a trade with stores, or, on the web, of a kind of goods, by its place in words.ts. */
export const picturesOf = (place: number, web: boolean): string[] =>
  soldKeys(web ? trades.length + place : place)
/** What a picture is of, if it is of what a trade sells, and the how manieth of them it is. */
const soldIn = (key: string): { name: string; nth: number } | undefined => {
  const [, place, nth] = /^demo\/sold-(\d+)-(\d+)/.exec(key) ?? []
  return place && nth ? { name: sold[Number(place) - 1]!, nth: Number(nth) } : undefined
}
const dishPictures = Array.from({ length: 12 }, (_, at) => `demo/dish-${at + 1}.webp`)
export const parcelPictures = Array.from({ length: 14 }, (_, at) => `demo/goods-${at + 1}.webp`)
export const blurredPictures = ['demo/blurred-1.webp', 'demo/blurred-2.webp', 'demo/blurred-3.webp']
export const smallPictures = ['demo/small-1.webp', 'demo/small-2.webp']
export const licencePicture = 'demo/licence.webp'
/** Icons of facilities: a sign on a coloured square, one a group. */
const signs: Readonly<Record<string, readonly [colour: string, shapes: string]>> = {
  parking: ['#2b5fb4', '<path d="M26 46V18h10a8 8 0 0 1 0 16H26" fill="none"/>'],
  baby: [
    '#a8436a',
    '<circle cx="32" cy="22" r="6"/><path d="M20 46c0-8 5-12 12-12s12 4 12 12" fill="none"/>',
  ],
  access: [
    '#2f7d5d',
    '<circle cx="30" cy="17" r="4"/><path d="M30 24v12h10l4 9M26 30a10 10 0 1 0 12 13" fill="none"/>',
  ],
  pay: [
    '#8a5a12',
    '<rect x="16" y="20" width="32" height="24" rx="3" fill="none"/><path d="M16 28h32M22 37h8"/>',
  ],
  service: ['#5b4bb0', '<path d="M16 42h32M20 42a12 12 0 0 1 24 0M32 26v4M29 25h6" fill="none"/>'],
  other: [
    '#5f6b7c',
    '<circle cx="20" cy="32" r="3"/><circle cx="32" cy="32" r="3"/><circle cx="44" cy="32" r="3"/>',
  ],
}
const ICON = 128
/** The icon of a group of facilities. */
export const facilityIcon = (group: string): string => `demo/facility-${group}.png`
/** Every icon by its key: those of facilities, and those of the entries of a home. */
const icons: Readonly<Record<string, readonly [colour: string, shapes: string]>> = {
  ...Object.fromEntries(Object.entries(signs).map(([group, of]) => [facilityIcon(group), of])),
  ...Object.fromEntries(
    Object.entries(entrySigns).map(([name, of]) => [entrySign(name as EntrySign), of]),
  ),
}
const icon = (key: string): string => {
  const [colour, shapes] = icons[key]!
  return `<g transform="scale(2)"><rect width="64" height="64" rx="14" fill="${colour}"/><g stroke="#ffffff" stroke-width="4" fill="#ffffff" stroke-linecap="round" stroke-linejoin="round">${shapes}</g></g>`
}

const bright = palettes.filter(([ground]) => ground !== DARK)
/** The colours of a trade's nth drawing, in the order that drawings.ts names them: no two alike. */
const coloursOf = (nth: number) => {
  const [ground, light, [dark, main, accent]] = bright[nth % bright.length]!
  return [ground, light, dark, main, accent] as const
}
const shapesOf = (key: string, random: Random): string => {
  const wide = sceneryOf(key)
  if (wide) return scene(random, ...wide)
  if (key === licencePicture) return licence()
  if (key in icons) return icon(key)
  if (facadePictures.includes(key)) return facade(random)
  if (planPictures.includes(key)) return plan(random)
  if (parcelPictures.includes(key)) return parcel(random)
  const of = soldIn(key)
  const draw = of && drawings[of.name]
  return draw ? draw(random, coloursOf(of.nth)) : dish(random)
}

/**
 * Draws the pictures of the demo into `folder`, the local store's; without a folder (tests) they
 * only have their measures.
 */
export const drawPictures = async (random: Random, folder?: string): Promise<Picture[]> => {
  const sharp = folder ? (await import('sharp')).default : undefined
  const keys = [
    ...dishPictures,
    ...parcelPictures,
    ...sold.flatMap((_, at) => soldKeys(at)),
    ...facadePictures,
    ...planPictures,
    ...blurredPictures,
    ...smallPictures,
    licencePicture,
    ...Object.keys(icons),
    ...(Object.keys(sized) as Scenery[]).flatMap(sceneries),
  ]
  const made: Picture[] = []
  for (const key of keys) {
    const of = random.branch(key)
    const small = smallPictures.includes(key)
    const blurred = blurredPictures.includes(key)
    const flat = key in icons
    const wide = flat ? ([ICON, ICON] as const) : sceneryOf(key)
    const [width, height] = wide ?? (small ? [240, 180] : [640, 480])
    const drawing = wide ?? [640, 480]
    const shapes = shapesOf(key, of)
    if (!sharp || !folder) {
      made.push({
        file_key: key,
        mime: flat ? 'image/png' : 'image/webp',
        size_bytes: 12_000,
        width,
        height,
        sharpness_x100: blurred ? 8 : 240,
        sha256: createHash('sha256').update(key).digest('hex'),
      })
      continue
    }
    const drawn = sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${drawing[0]}" height="${drawing[1]}">${shapes}</svg>`,
      ),
    ).resize(width, height)
    const data = await (
      flat ? drawn.png() : (blurred ? drawn.blur(14) : drawn).webp({ quality: 78 })
    ).toBuffer()
    const path = join(folder, key)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, data)
    made.push({
      file_key: key,
      mime: flat ? 'image/png' : 'image/webp',
      size_bytes: data.length,
      width,
      height,
      sharpness_x100: Math.round((await sharp(data).stats()).sharpness * 100),
      sha256: createHash('sha256').update(data).digest('hex'),
    })
  }
  return made
}
