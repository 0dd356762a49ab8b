import { yuan } from '#src/domain/money.ts'
import { comma, say, type Lang, type Text } from '#src/domain/text.ts'
import { below, isGroup, type Rule, type RuleNode } from './rule.ts'
import { fieldOf, ruleOrderKinds, type FieldKey, type RefKind } from './ruleFields.ts'

/** What rows are called that a rule names, by `kind:id`. */
export type RefNames = Readonly<Record<string, string>>
export const refKey = (kind: RefKind, id: number): string => `${kind}:${id}`

const span = (from: string | undefined, to: string | undefined, lang: Lang, unit = ''): string => {
  const after = unit && (lang === 'zh' ? ` ${unit}` : ` ${unit}`)
  if (from !== undefined && to !== undefined)
    return from === to ? `${from}${after}` : `${from}–${to}${after}`
  return from === undefined
    ? say(['不超过 {n}', 'at most {n}'], lang, { n: `${to}${after}` })
    : say(['不少于 {n}', 'at least {n}'], lang, { n: `${from}${after}` })
}
const bounds = (node: RuleNode, lang: Lang, how: { money: boolean; unit?: string }): string => {
  const show = (n: number | undefined) => {
    if (n === undefined) return undefined
    return how.money ? `¥${yuan(n)}` : n.toLocaleString('en-US')
  }
  return span(show(node.from), show(node.to), lang, how.unit)
}
const ago = (node: RuleNode, lang: Lang): string => {
  if (node.op === 'never') return say(['从未', 'never'], lang)
  return say(
    node.op === 'within' ? ['{n} 天内', 'within {n} days'] : ['{n} 天前', 'over {n} days ago'],
    lang,
    {
      n: node.days ?? 0,
    },
  )
}
const named = (
  kind: RefKind,
  ids: readonly number[],
  { names, lang }: { names: RefNames; lang: Lang },
): string =>
  ids
    .map(id => names[refKey(kind, id)] ?? say(['已删除 #{id}', 'gone #{id}'], lang, { id }))
    .join(say(comma, lang))
const words = (
  picks: readonly string[],
  options: Readonly<Record<string, Text>>,
  lang: Lang,
): string => picks.map(pick => say(options[pick] ?? [pick, pick], lang)).join(say(comma, lang))

const orders = (node: RuleNode, names: RefNames, lang: Lang): string => {
  const isMoney = node.is === 'spent'
  const where = node.malls?.length
    ? say(['在「{malls}」', ' at {malls}'], lang, {
        malls: named('mall', node.malls, { names, lang }),
      })
    : ''
  const what = node.picks?.length ? ` ${words(node.picks, ruleOrderKinds, lang)} ` : ''
  const unit = isMoney ? undefined : say(['笔', 'orders'], lang)
  return say(
    isMoney
      ? ['{days} 天内{where}{what}实付{n}', 'paid {n} within {days} days{where}{what}']
      : ['{days} 天内{where}{what}下单{n}', '{n} within {days} days{where}{what}'],
    lang,
    {
      days: node.days ?? 0,
      where,
      what: lang === 'en' && what ? ` (${what.trim()})` : what,
      n: (lang === 'zh' ? ' ' : '') + bounds(node, lang, { money: isMoney, ...(unit && { unit }) }),
    },
  )
}
/** What a condition asks, without its `not`. */
const asked = (node: RuleNode, names: RefNames, lang: Lang): string => {
  const key = node.is as FieldKey
  const of = fieldOf(key)
  const title = say(of.words, lang)
  if (of.kind === 'picks')
    return say(['{title}为 {what}', '{title} is {what}'], lang, {
      title,
      what: words(node.picks ?? [], of.options, lang),
    })
  if (of.kind === 'refs') {
    const what = named(of.of, node.ids ?? [], { names, lang })
    const isAll = node.op === 'all'
    if (!of.several) return say(['{title}为 {what}', '{title} is {what}'], lang, { title, what })
    return (node.ids?.length ?? 0) > 1
      ? say(
          isAll
            ? ['{title}同时含 {what}', '{title} is each of {what}']
            : ['{title}含任一 {what}', '{title} is any of {what}'],
          lang,
          { title, what },
        )
      : say(['{title}含 {what}', '{title} is {what}'], lang, { title, what })
  }
  if (of.kind === 'ago') return `${title} ${ago(node, lang)}`
  if (of.kind === 'orders') return orders(node, names, lang)
  const unit = of.kind === 'number' ? say(of.unit, lang) : ''
  return `${title} ${bounds(node, lang, { money: of.kind === 'money', unit })}`
}
/** Says a condition in words. */
export const conditionSaid = (node: RuleNode, names: RefNames, lang: Lang): string => {
  const text = asked(node, names, lang)
  return node.not ? say(['不满足「{text}」', 'not “{text}”'], lang, { text }) : text
}
const joint = (how: 'all' | 'any', lang: Lang): string =>
  say(how === 'all' ? [' 且 ', ' and '] : [' 或 ', ' or '], lang)
const nodeSaid = (rule: Rule, node: RuleNode, names: RefNames, lang: Lang): string => {
  if (!isGroup(node)) return conditionSaid(node, names, lang)
  const inside = below(rule, node.key).map(one => nodeSaid(rule, one, names, lang))
  const text = inside.join(joint(node.is, lang))
  if (node.not) return say(['不满足「{text}」', 'not “{text}”'], lang, { text })
  return inside.length > 1 ? say(['（{text}）', '({text})'], lang, { text }) : text
}
/** Whom a rule means, as one sentence, with whom it leaves out. */
export const ruleSaid = (
  rule: Rule,
  { names, without = [] }: { names: RefNames; without?: readonly number[] },
  lang: Lang,
): string => {
  const inside = below(rule, null).map(node => nodeSaid(rule, node, names, lang))
  const text =
    inside.length === 0
      ? say(['全部会员', 'Everybody'], lang)
      : inside.join(joint(rule.joins, lang))
  if (without.length === 0) return text
  return say(['{text}，排除分群 {what}', '{text}, but for {what}'], lang, {
    text,
    what: named('segment', without, { names, lang }),
  })
}
