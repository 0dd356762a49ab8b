/**
 * Provinces, cities and districts of China from a package of the table of divisions: what an address
 * begins with, chosen step by step or by words, and checked against the same table.
 */
import { areaList } from '@vant/area-data'
import type { RegionLevel, RegionRow } from '#src/contract/regions.ts'
import { readingsOf } from '#src/server/db/pinyin.ts'

type Level = 1 | 2 | 3
type Node = { code: string; name: string; level: Level; words: string }

const [PROVINCES, CITIES, DISTRICTS] = [
  areaList.province_list,
  areaList.city_list,
  areaList.county_list,
]
const provinceOf = (code: string): string => `${code.slice(0, 2)}0000`
const cityOf = (code: string): string => `${code.slice(0, 4)}00`
/**
 * A city that is none: what a province administers itself, or a municipality once more. Nobody
 * writes it in an address.
 */
const isStandIn = (code: string): boolean => {
  const name = CITIES[code]
  return (
    name === undefined ||
    name === '县' ||
    name.includes('直辖县') ||
    name === PROVINCES[provinceOf(code)]
  )
}
const above = (code: string): string =>
  `${PROVINCES[provinceOf(code)] ?? ''}${isStandIn(cityOf(code)) ? '' : CITIES[cityOf(code)]}`
const nodesOf = (names: Record<string, string>, level: Level, before: (code: string) => string) =>
  Object.entries(names).map(([code, name]): Node => ({
    code,
    name,
    level,
    words: `${before(code)}${name}`,
  }))
/** All of them, provinces first; cities that are none are left out. */
const nodes: readonly Node[] = [
  ...nodesOf(PROVINCES, 1, () => ''),
  ...nodesOf(CITIES, 2, code => PROVINCES[provinceOf(code)] ?? '').filter(
    ({ code }) => !isStandIn(code),
  ),
  ...nodesOf(DISTRICTS, 3, above),
]
const byCode = new Map(nodes.map(node => [node.code, node]))
/** Without what is written or left out as one likes: spaces, and a municipality's name twice. */
const bare = (words: string): string =>
  words
    .normalize('NFKC')
    .replace(/[\s,，/-]/g, '')
    .replace(/^(.{2,3}市)\1/, '$1')
const byWords = new Map(nodes.map(node => [node.words, node]))
/** The code of a place that is written in full, from its province on; undefined for no such place. */
export const regionOf = (words: string): string | undefined => byWords.get(bare(words))?.code

const withCities = new Set(
  nodes.filter(({ level }) => level === 2).map(({ code }) => provinceOf(code)),
)
const isLeaf = (node: Node, level: RegionLevel): boolean =>
  node.level === 3 || (level === 'city' && (node.level === 2 || !withCities.has(node.code)))
/** Whether it is on the way to what is asked for: districts are none of the way to a city. */
const reaches = (node: Node, level: RegionLevel): boolean =>
  level === 'district' ||
  node.level < 3 ||
  (isStandIn(cityOf(node.code)) && withCities.has(provinceOf(node.code)))
/** The districts of a city, or of a municipality; a place without any is its own. */
const districtsOf = (code: string): readonly Node[] => {
  const start = code.endsWith('0000') ? code.slice(0, 2) : code.slice(0, 4)
  const self = byCode.get(code)
  const below =
    self?.level === 3 ? [] : nodes.filter(node => node.level === 3 && node.code.startsWith(start))
  return below.length === 0 && self ? [self] : below
}
/** Whether a city, by its code, has a district of that name. */
export const hasDistrict = (city: string, name: string): boolean =>
  districtsOf(city).some(node => node.name === name)
const childrenOf = (parent: Node): readonly Node[] =>
  parent.level === 1
    ? nodes.filter(
        node =>
          provinceOf(node.code) === parent.code &&
          (node.level === 2 || (node.level === 3 && isStandIn(cityOf(node.code)))),
      )
    : districtsOf(parent.code)

/** `shanghai|sh` of each, made when letters are first typed. */
const latin = new Map<string, string>()
const latinOf = ({ code, name }: Node): string => {
  const known = latin.get(code)
  if (known !== undefined) return known
  const made = readingsOf(name)
  latin.set(code, made)
  return made
}
/** Words as people shorten them: `浙江杭州西湖`. */
const short = (words: string): string => words.replace(/[省市区县]/g, '')
const matches = (keyword: string): ((node: Node) => boolean) => {
  const typed = keyword.toLowerCase().replaceAll(' ', '')
  if (/^[a-z]+$/.test(typed))
    return node =>
      latinOf(node)
        .split('|')
        .some(reading => reading.startsWith(typed))
  const wanted = short(bare(typed)) || bare(typed)
  return node => node.words.includes(bare(typed)) || short(node.words).includes(wanted)
}

const MOST = 40
/** What stands to choose from, at most 40 of what was searched. */
export const regionsFor = ({
  level,
  parent,
  within,
  keyword,
}: {
  level: RegionLevel
  parent?: string | undefined
  within?: string | undefined
  keyword?: string | undefined
}): RegionRow[] => {
  const from = within === undefined ? nodes : districtsOf(within)
  const of = parent === undefined ? undefined : byCode.get(parent)
  const found = () => {
    if (keyword) {
      const meant = matches(keyword)
      return from.filter(node => reaches(node, level) && meant(node)).slice(0, MOST)
    }
    if (of) return childrenOf(of)
    return within === undefined ? nodes.filter(node => node.level === 1) : from
  }
  return found().map(node => ({
    code: node.code,
    name: node.name,
    words: node.words,
    leaf: isLeaf(node, level),
  }))
}
