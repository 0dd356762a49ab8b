import type { Text } from '#src/domain/text.ts'

/** What can be released in steps: the goodies channel, and its parts, which need the channel. */
export const features = {
  goodies: { title: ['好物频道', 'Goodies channel'], parent: null },
  goodies_entry: { title: ['频道入口', 'Entry'], parent: 'goodies' },
  goodies_feed: { title: ['推荐流', 'Recommendations'], parent: 'goodies' },
  goodies_comments: { title: ['评论', 'Comments'], parent: 'goodies' },
  goodies_share: { title: ['分享赚', 'Share to earn'], parent: 'goodies' },
  goodies_checkout: { title: ['下单购买', 'Checkout'], parent: 'goodies' },
} as const satisfies Record<string, { title: Text; parent: string | null }>
export type Feature = keyof typeof features
export const featureKeys = Object.keys(features) as Feature[]
export const featureTitles = Object.fromEntries(
  featureKeys.map(key => [key, features[key].title]),
) as Readonly<Record<Feature, Text>>

export const featureLevels = {
  national: ['全国', 'The whole country'],
  city: ['城市', 'City'],
  mall: ['商场', 'Mall'],
} as const satisfies Record<string, Text>
export type FeatureLevel = keyof typeof featureLevels
type Place = { city_id: number | null; mall_id: number | null }
/** A mall's switch beats its city's, and that the country's. */
export const levelOf = ({ city_id, mall_id }: Place): FeatureLevel => {
  if (mall_id !== null) return 'mall'
  return city_id === null ? 'national' : 'city'
}

const VERSION = /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/
export const versionFault = (typed: string): Text | undefined =>
  typed === '' || VERSION.test(typed) ? undefined : ['请按 1.20.3 的形式填写', 'Write it as 1.20.3']
/** Whether an app's version is at least another; one that can't be read is older than any. */
export const isAtLeast = (version: string, least: string): boolean => {
  if (least === '') return true
  const [own, other] = [VERSION.exec(version), VERSION.exec(least)]
  if (!own || !other) return false
  const at = [1, 2, 3].find(part => Number(own[part]) !== Number(other[part]))
  return at === undefined || Number(own[at]) > Number(other[at])
}

const BUCKETS = 10_000
/** Spreads the bits of a number over all others, as murmur3 ends; its answers are as many as its questions. */
const spread = (bits: number): number => {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
const seedOf = (feature: Feature): number => {
  let hash = 0x811c9dc5
  for (const char of feature) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return hash
}
/**
 * Where a member stands among ten thousand, for one feature: the same for ever, so that whoever has
 * a feature at some percent has it at every larger one.
 */
export const bucketOf = (feature: Feature, member_id: number): number =>
  spread(spread(seedOf(feature) ^ member_id) + member_id) % BUCKETS

export type FeatureRule = Place & {
  feature: Feature
  status: 'on' | 'off'
  /** 0 to 100. */
  percent: number
  min_version: string
  testers: readonly number[]
}
/** Whoever asks: a member or a visitor, where, with which version of the app. */
export type Asker = {
  member_id: number | null
  city_id: number | null
  mall_id: number | null
  version: string
}
export const verdicts = {
  none: ['没有开关', 'It has no switch'],
  off: ['已关闭', 'It is off'],
  version: ['App 版本过低', 'The app is too old'],
  tester: ['体验成员', 'A tester'],
  in: ['放量命中', 'Within the percentage'],
  out: ['放量未命中', 'Outside the percentage'],
  parent: ['上级功能未命中', 'The feature above is not on'],
} as const satisfies Record<string, Text>
type Verdict = keyof typeof verdicts
export type Decision = { on: boolean; verdict: Verdict; level: FeatureLevel | null }

/** The switch that decides for a feature in a place: its mall's, else its city's, else the country's. */
export const nearest = (
  rules: readonly FeatureRule[],
  feature: Feature,
  { city_id, mall_id }: Place,
): FeatureRule | undefined => {
  const own = rules.filter(rule => rule.feature === feature)
  return (
    own.find(rule => rule.mall_id !== null && rule.mall_id === mall_id) ??
    own.find(rule => rule.mall_id === null && rule.city_id !== null && rule.city_id === city_id) ??
    own.find(rule => levelOf(rule) === 'national')
  )
}
const verdictOf = (
  rules: readonly FeatureRule[],
  feature: Feature,
  rule: FeatureRule | undefined,
  asker: Asker,
): Verdict => {
  if (!rule) return 'none'
  if (rule.status === 'off') return 'off'
  if (!isAtLeast(asker.version, rule.min_version)) return 'version'
  const { member_id } = asker
  const testing = rules.some(
    one => one.feature === feature && member_id !== null && one.testers.includes(member_id),
  )
  if (testing) return 'tester'
  // A visitor has no number to be drawn by, and waits until everybody has it.
  const bucket = member_id === null ? BUCKETS - 1 : bucketOf(feature, member_id)
  return bucket < (rule.percent * BUCKETS) / 100 ? 'in' : 'out'
}
/** What a feature is for somebody, and why: the nearest switch decides, after the feature above. */
export const decide = (rules: readonly FeatureRule[], feature: Feature, asker: Asker): Decision => {
  const rule = nearest(rules, feature, asker)
  const level = rule ? levelOf(rule) : null
  const { parent } = features[feature]
  if (parent !== null && !decide(rules, parent, asker).on)
    return { on: false, verdict: 'parent', level }
  const verdict = verdictOf(rules, feature, rule, asker)
  return { on: verdict === 'tester' || verdict === 'in', verdict, level }
}
