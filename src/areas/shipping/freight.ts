import { divisions, provinces } from '#src/areas/place/divisions.ts'
import { yuan } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'

export const freightModes = {
  piece: { title: ['按件', 'By piece'], unit: ['件', 'pieces'] },
  weight: { title: ['按重量', 'By weight'], unit: ['克', 'g'] },
  volume: { title: ['按体积', 'By volume'], unit: ['立方厘米', 'cm³'] },
} as const satisfies Record<string, { title: Text; unit: Text }>
export type FreightMode = keyof typeof freightModes

/** Codes of provinces or cities; a province stands for all its cities. */
type Areas = readonly string[]
/** The first `first` units cost `first_cents`, every `next` units begun after that `next_cents`. */
export type FreightRegion = {
  areas: Areas
  first: number
  first_cents: number
  next: number
  next_cents: number
}
/**
 * Free where goods for so much, or so many units, are bought; where both are named, both are
 * needed.
 */
export type FreeRule = {
  areas: Areas
  over_cents?: number | undefined
  over_units?: number | undefined
}
/** Where nothing is delivered, no region's fees hold. */
export type FreightTemplate = {
  mode: FreightMode
  regions: readonly FreightRegion[]
  free_rules: readonly FreeRule[]
  no_delivery: Areas
}
/** One line of an order: quantity and what one of it costs and measures. */
export type FreightLine = {
  qty: number
  price_cents: number
  weight_g?: number
  volume_cm3?: number
}

const UNITS_MAX = 1_000_000
const CENTS_MAX = 1_000_000
const REGIONS_MAX = 60

const citiesByProvince = new Map(
  provinces.map(province => [province.adcode, province.children.map(city => city.adcode)]),
)
/**
 * The cities of some areas; unknown codes have none. A municipality is a province and its only
 * city, both by the same code.
 */
const citiesOf = (areas: Areas): Set<string> =>
  new Set(areas.flatMap(code => citiesByProvince.get(code) ?? (divisions.has(code) ? [code] : [])))
export const isArea = (code: string): boolean => citiesByProvince.has(code) || divisions.has(code)
/** The city of an address: a district's code leads to its city. */
export const cityOfArea = (code: string): string | undefined =>
  !/^\d{6}$/.test(code)
    ? undefined
    : [code, `${code.slice(0, 4)}00`, `${code.slice(0, 2)}0000`].find(one => divisions.has(one))

/** Cities in words: a whole province by its name, `江苏省、杭州`. */
export const areaNames = (cities: ReadonlySet<string>): string => {
  if (cities.size === divisions.size) return '全国'
  return provinces
    .flatMap(({ name, children }) => {
      const some = children.filter(city => cities.has(city.adcode))
      return some.length === children.length ? [name] : some.map(city => city.city_name)
    })
    .join(comma[0])
}
export const inAreas = (areas: Areas, city: string): boolean => citiesOf(areas).has(city)
/** What of some areas is not among others. */
export const areasBeside = (areas: Areas, others: Areas): string[] => {
  const known = citiesOf(others)
  return codesOf(new Set([...citiesOf(areas)].filter(city => !known.has(city))))
}
/** Areas in words, provinces by their names: what `areasOf` reads back. */
export const areaWords = (areas: Areas): string => areaNames(citiesOf(areas))

/** `广西壮族自治区` → `广西`, `延边州` → `延边`: how people write them, too. */
const stem = (name: string): string =>
  name.replace(/(?:省|市|(?:壮族|回族|维吾尔)?自治区|特别行政区|地区|州|盟|县)$/, '') || name
const startOf = (text: string, name: string): number => {
  if (text.startsWith(name)) return name.length
  const short = stem(name)
  if (short.length <= 1 || !text.startsWith(short)) return 0
  return short.length + (text.charAt(short.length) === '市' ? 1 : 0)
}
const places = provinces.flatMap(province => province.children.map(city => ({ province, city })))
/**
 * The city that an address begins with, by code or in words, with or without its province:
 * `浙江省杭州市西湖区`, `吉林市昌邑区`. The reading that takes most of the words holds.
 */
export const cityOfAddress = (area: string): string | undefined => {
  const text = area.normalize('NFKC').replace(/[\s,，/-]/g, '')
  let [best, most] = [cityOfArea(text.slice(0, 6)), 0]
  if (best) return best
  for (const { province, city } of places) {
    const head = startOf(text, province.name)
    // A municipality's province and city are one.
    const unnamed = province.children.length === 1 ? head : 0
    for (const at of new Set([0, head])) {
      const own = startOf(text.slice(at), city.city_name)
      const taken = own > 0 ? at + own : unnamed
      if (taken > most) [best, most] = [city.adcode, taken]
    }
  }
  return best
}
/**
 * Places as people list them, `江苏省、浙江、杭州`: the codes, and what is no place. `全国` is every province.
 */
export const areasOf = (typed: string): { areas: string[]; unknown: string[] } => {
  const [areas, unknown] = [new Set<string>(), [] as string[]]
  for (const word of typed
    .normalize('NFKC')
    .split(/[\s,、;；，]+/)
    .filter(Boolean)) {
    const province = provinces.find(
      one =>
        word === one.name ||
        (word === stem(one.name) &&
          !one.children.some(city => city.city_name === word && one.children.length > 1)),
    )
    const city = places.find(
      one =>
        word === one.city.city_name ||
        word === `${one.city.city_name}市` ||
        (stem(one.city.city_name).length > 1 && word === stem(one.city.city_name)),
    )?.city
    if (word === '全国') for (const one of provinces) areas.add(one.adcode)
    else if (province) areas.add(province.adcode)
    else if (city) areas.add(city.adcode)
    else unknown.push(word)
  }
  return { areas: [...areas], unknown }
}
/** Cities in as few codes as there are: a province where it is whole. */
const codesOf = (cities: ReadonlySet<string>): string[] =>
  provinces.flatMap(({ adcode, children }) => {
    const some = children.filter(city => cities.has(city.adcode))
    return some.length === children.length ? [adcode] : some.map(city => city.adcode)
  })
/** What a template leaves without fees: neither in a group nor closed. */
export const freightGap = (
  template: Pick<FreightTemplate, 'regions' | 'no_delivery'>,
): string[] => {
  const known = citiesOf([
    ...template.no_delivery,
    ...template.regions.flatMap(region => [...region.areas]),
  ])
  return codesOf(new Set([...divisions.keys()].filter(code => !known.has(code))))
}
/**
 * Where of some areas a template delivers, and where of these without a fee; undefined where
 * nowhere.
 */
export const deliversTo = (
  template: Pick<FreightTemplate, 'regions' | 'free_rules' | 'no_delivery'>,
  areas: Areas,
): { areas: string[]; free: string[] } | undefined => {
  const closed = citiesOf(template.no_delivery)
  const within = (of: readonly { areas: Areas }[]) =>
    codesOf(
      new Set(
        [...both(citiesOf(areas), citiesOf(of.flatMap(one => [...one.areas])))].filter(
          city => !closed.has(city),
        ),
      ),
    )
  const there = within(template.regions)
  return there.length > 0 ? { areas: there, free: within(template.free_rules) } : undefined
}
const both = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  new Set([...a].filter(code => b.has(code)))
const whole = (n: number, from: number, until: number) =>
  Number.isInteger(n) && n >= from && n <= until

/**
 * What is wrong with a template, each at its field (`regions.0.first`); every delivered place must
 * have its fees exactly once.
 */
export const freightFaults = (template: FreightTemplate): { at: string; text: Text }[] => {
  const faults: { at: string; text: Text }[] = []
  const no = (at: string, zh: string, en: string) => void faults.push({ at, text: [zh, en] })
  const checkAreas = (at: string, areas: Areas) => {
    const unknown = areas.filter(code => !isArea(code))
    if (unknown.length > 0)
      no(
        at,
        `没有这些地区：${unknown.slice(0, 5).join('、')}`,
        `There are no such places: ${unknown.slice(0, 5).join(', ')}`,
      )
    else if (areas.length === 0) no(at, '请选择地区', 'Choose places')
  }
  if (template.regions.length > REGIONS_MAX)
    no('regions', `最多 ${REGIONS_MAX} 个地区组`, `At most ${REGIONS_MAX} groups of places`)
  for (const [n, region] of template.regions.entries()) {
    checkAreas(`regions.${n}.areas`, region.areas)
    for (const name of ['first', 'next'] as const)
      if (!whole(region[name], 1, UNITS_MAX))
        no(
          `regions.${n}.${name}`,
          `${name === 'first' ? '首' : '续'}${freightModes[template.mode].unit[0]}须为 1–${UNITS_MAX} 的整数`,
          `A whole number from 1 to ${UNITS_MAX}`,
        )
    for (const name of ['first_cents', 'next_cents'] as const)
      if (!whole(region[name], 0, CENTS_MAX))
        no(`regions.${n}.${name}`, '运费须在 0–10,000 元之间', 'The fee is between ¥0 and ¥10,000')
  }
  const covered = template.regions.map(region => citiesOf(region.areas))
  const closed = citiesOf(template.no_delivery)
  if (template.no_delivery.some(code => !isArea(code)))
    checkAreas('no_delivery', template.no_delivery)
  for (const [n, cities] of covered.entries()) {
    for (let m = 0; m < n; m++) {
      const twice = both(covered[m]!, cities)
      if (twice.size > 0)
        no(
          `regions.${n}.areas`,
          `与第 ${m + 1} 组重复：${areaNames(twice)}`,
          `Also in group ${m + 1}: ${areaNames(twice)}`,
        )
    }
  }
  const gap = new Set(
    [...divisions.keys()].filter(
      code => !closed.has(code) && !covered.some(cities => cities.has(code)),
    ),
  )
  if (gap.size > 0)
    no(
      'regions',
      `这些地区没有运费：${areaNames(gap)}。请加入某一组，或设为不配送`,
      `No fee for: ${areaNames(gap)}. Put them into a group, or deliver nothing there`,
    )
  for (const [n, rule] of template.free_rules.entries()) {
    checkAreas(`free_rules.${n}.areas`, rule.areas)
    if (rule.over_cents !== undefined && !whole(rule.over_cents, 1, CENTS_MAX * 100))
      no(`free_rules.${n}.over_cents`, '包邮金额须大于 0', 'The amount is more than 0')
    if (rule.over_units !== undefined && !whole(rule.over_units, 1, UNITS_MAX))
      no(
        `free_rules.${n}.over_units`,
        `包邮数量须为 1–${UNITS_MAX} 的整数`,
        `A whole number from 1 to ${UNITS_MAX}`,
      )
    const nowhere = both(citiesOf(rule.areas), closed)
    if (nowhere.size > 0)
      no(
        `free_rules.${n}.areas`,
        `包邮与不配送冲突：${areaNames(nowhere)}`,
        `Free, and yet nothing is delivered there: ${areaNames(nowhere)}`,
      )
  }
  return faults
}

export type Freight =
  | { ok: true; cents: number; units: number; /** How it came about. */ how: Text }
  | { ok: false; why: 'no_delivery' | 'no_fee' | 'no_place' | 'no_measure'; text: Text }
const measure = {
  piece: () => 1,
  weight: line => line.weight_g,
  volume: line => line.volume_cm3,
} satisfies Record<FreightMode, (line: FreightLine) => number | undefined>

/**
 * What sending some lines to a place costs: the one sum that checkout, a trial and a change of
 * address share.
 */
export const freightOf = (
  template: FreightTemplate,
  area: string,
  lines: readonly FreightLine[],
): Freight => {
  const no = (why: (Freight & { ok: false })['why'], zh: string, en: string): Freight => ({
    ok: false,
    why,
    text: [zh, en],
  })
  const city = cityOfArea(area)
  if (!city) return no('no_place', '收货地区无法识别', 'The place is not known')
  const name = divisions.get(city)!.city_name
  if (citiesOf(template.no_delivery).has(city))
    return no('no_delivery', `${name}不在配送范围内`, `Nothing is delivered to ${name}`)
  const region = template.regions.find(one => citiesOf(one.areas).has(city))
  if (!region)
    return no('no_fee', `运费模板没有${name}的运费`, `The template has no fee for ${name}`)
  let units = 0
  for (const line of lines) {
    const each = measure[template.mode](line)
    if (each === undefined)
      return no(
        'no_measure',
        template.mode === 'weight' ? '有商品没有填写重量' : '有商品没有填写体积',
        template.mode === 'weight' ? 'Some goods have no weight' : 'Some goods have no volume',
      )
    units += each * line.qty
  }
  if (lines.every(line => line.qty === 0))
    return { ok: true, cents: 0, units, how: ['没有要配送的商品', 'Nothing to deliver'] }
  const goods = lines.reduce((sum, line) => sum + line.price_cents * line.qty, 0)
  const free = template.free_rules.find(
    rule =>
      citiesOf(rule.areas).has(city) &&
      goods >= (rule.over_cents ?? 0) &&
      units >= (rule.over_units ?? 0),
  )
  const unit = freightModes[template.mode].unit
  if (free) {
    const [zh, en] = [
      [
        free.over_cents && `满 ${yuan(free.over_cents)} 元`,
        free.over_units && `满 ${free.over_units} ${unit[0]}`,
      ]
        .filter(Boolean)
        .join('且'),
      [
        free.over_cents && `¥${yuan(free.over_cents)}`,
        free.over_units && `${free.over_units} ${unit[1]}`,
      ]
        .filter(Boolean)
        .join(' and '),
    ]
    return {
      ok: true,
      cents: 0,
      units,
      how: [`${name}${zh}包邮`, en ? `Free to ${name} from ${en}` : `Free to ${name}`],
    }
  }
  const more = Math.ceil(Math.max(0, units - region.first) / region.next)
  return {
    ok: true,
    cents: region.first_cents + more * region.next_cents,
    units,
    how: [
      `首 ${region.first} ${unit[0]} ${yuan(region.first_cents)} 元${more > 0 ? `，续 ${more} × ${region.next} ${unit[0]}，每续 ${yuan(region.next_cents)} 元` : ''}`,
      `First ${region.first} ${unit[1]} ¥${yuan(region.first_cents)}${more > 0 ? `, then ${more} × ${region.next} ${unit[1]} at ¥${yuan(region.next_cents)}` : ''}`,
    ],
  }
}
