import { ask, type Ask } from '#commands/command.ts'
import {
  CARD_MONEY_MOST,
  cardFaults,
  NAME_WIDE,
  soldFaults,
  soldLocks,
  type CardDraft,
} from '#src/areas/ecard/card.ts'
import { cardTypes, codeSources, refundRules, validTypes } from '#src/areas/ecard/ecard.ts'
import { faceLinesFault, readFaceLines } from '#src/areas/ecard/faceLines.ts'
import { suppliers } from '#src/areas/ecard/suppliers.ts'
import { mallPicker } from '#src/contract/malls.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { cards, type CardWhole } from '../contract/list.ts'
import { linesOf, lockedOf, writtenOf, type CardAnswers } from './written.ts'

type Rows = readonly CardWhole[]
type Rule = (value: unknown, answers: CardAnswers) => Text | undefined
/** The fault of a field by the rules of every card, and of one that was sold. */
const judged =
  (field: string, was?: CardDraft): Rule =>
  (_, answers) => {
    const next = writtenOf({ ...lockedOf(was), ...answers })
    return cardFaults(next, unixNow())[field] ?? (was && soldFaults(was, next)[field])
  }
const first = <T>(of: (row: CardWhole) => T | null | undefined) => {
  return ([row]: Rows): T | undefined => (row ? (of(row) ?? undefined) : undefined)
}
const money = (
  label: Text,
  key: 'custom_min_cents' | 'custom_max_cents' | 'custom_step_cents',
  hint?: Text,
) =>
  ask.money({
    label,
    min: 1,
    max: CARD_MONEY_MOST,
    optional: true,
    initial: first(row => row[key]),
    check: judged(key),
    ...(hint && { hint }),
  })
const limit = (label: Text, key: 'order' | 'day' | 'person', field: string) =>
  ask.number({
    label,
    min: 1,
    max: 10_000,
    optional: true,
    initial: first(row => row.limits[key]),
    check: judged(field),
  })
const whatAsks = () => ({
  name: ask.text({
    label: ['名称', 'Name'],
    max: NAME_WIDE,
    min: 2,
    wide: NAME_WIDE,
    initial: first(row => row.name),
  }),
  type: ask.choice({
    label: ['类型', 'Type'],
    options: cardTypes,
    initial: rows => first(row => row.type)(rows) ?? 'stored',
  }),
  named: ask.flag({
    label: ['记名卡', 'Named card'],
    hint: ['记名须实名购卡，面值至 5000 元', 'Buyer must verify identity; up to ¥5,000'],
    shown: (of: CardAnswers) => (of.type ?? 'stored') === 'stored',
    initial: rows => first(row => row.named)(rows) ?? false,
  }),
  store_id: ask.entity({
    label: ['发卡门店', 'Issuing store'],
    find: cards.stores,
    labelOf: (row: { name: string }) => row.name,
    initial: first(row => row.store_id),
    named: first(row => row.store_name),
  }),
  source: ask.choice({
    label: ['卡密来源', 'Code source'],
    options: codeSources,
    initial: rows => first(row => row.source)(rows) ?? 'generate',
  }),
  supplier: ask.choice({
    label: ['供应商', 'Supplier'],
    options: suppliers,
    shown: (of: CardAnswers) => (of.source ?? 'generate') !== 'generate',
    initial: first(row => row.supplier || undefined),
  }),
})
const looksAsks = () => ({
  cover: ask.images({
    label: ['封面', 'Cover'],
    max: 1,
    optional: true,
    initial: first(row => (row.cover ? [row.cover] : undefined)),
  }),
  arts: ask.images({
    label: ['卡面', 'Card designs'],
    max: 6,
    optional: true,
    hint: ['买家从中选择', 'The buyer chooses one'],
    initial: first(row => [...row.arts]),
  }),
})
const moneyAsks = () => ({
  bonus: ask.flag({
    label: ['溢价销售（售价可高于面值）', 'Sell above face value'],
    initial: rows => first(row => row.bonus)(rows) ?? false,
  }),
  custom_min_cents: money(['自选面值下限', 'Custom value, min.'], 'custom_min_cents', [
    '留空则只卖固定面值',
    'Empty: fixed face values only',
  ]),
  custom_max_cents: money(['自选面值上限', 'Custom value, max.'], 'custom_max_cents'),
  custom_step_cents: money(['自选面值步长', 'Custom value, step'], 'custom_step_cents'),
  stock_alert: ask.number({
    label: ['库存预警（张）', 'Stock alert (codes)'],
    min: 0,
    max: 1_000_000,
    hint: ['0 为不预警；每天最多提醒一次', '0: no alert; at most one alert a day'],
    shown: (of: CardAnswers, rows: Rows) => (of.source ?? rows[0]?.source) === 'import',
    initial: rows => first(row => row.stock_alert)(rows) ?? 0,
  }),
})
const validAsks = (was?: CardDraft) => ({
  valid_type: ask.choice({
    label: ['有效期', 'Validity'],
    options: validTypes,
    initial: rows => first(row => row.valid_type)(rows) ?? 'none',
    check: judged('valid_type', was),
  }),
  valid_until: ask.time({
    label: ['有效期至', 'Valid until'],
    shown: (of: CardAnswers) => of.valid_type === 'fixed',
    initial: first(row => row.valid_until),
    check: judged('valid_until', was),
  }),
  valid_days: ask.number({
    label: ['有效天数', 'Days from activation'],
    min: 1,
    max: 36_500,
    shown: (of: CardAnswers) => of.valid_type === 'days',
    initial: first(row => row.valid_days),
    check: judged('valid_days', was),
  }),
  malls: ask.entities({
    label: ['适用商场', 'Malls'],
    max: 200,
    find: mallPicker,
    key: 'mid',
    labelOf: (row: { name: string }) => row.name,
    optional: true,
    hint: ['商场、门店、类目至少选一项', 'Choose malls, stores or categories'],
    field: 'mall_ids',
    initial: ([row]: Rows) => row?.scope.mall_ids ?? [],
    named: ([row]: Rows) => namesOf(row?.malls),
    check: judged('scope', was),
  }),
  stores: ask.entities({
    label: ['适用门店', 'Stores'],
    max: 500,
    find: cards.stores,
    labelOf: (row: { name: string }) => row.name,
    optional: true,
    field: 'store_ids',
    initial: ([row]: Rows) => row?.scope.store_ids ?? [],
    named: ([row]: Rows) => namesOf(row?.stores),
  }),
  categories: ask.entities({
    label: ['适用类目', 'Categories'],
    max: 100,
    find: cards.categories,
    labelOf: (row: { name: string }) => row.name,
    optional: true,
    field: 'category_ids',
    initial: ([row]: Rows) => row?.scope.category_ids ?? [],
    named: ([row]: Rows) => namesOf(row?.categories),
  }),
})
const namesOf = (of: readonly { id: number; name: string }[] = []) =>
  Object.fromEntries(of.map(one => [one.id, one.name]))
const buyAsks = (was?: CardDraft) => ({
  limit_order: limit(['每单限购', 'Limit per order'], 'order', 'limit_order'),
  limit_day: limit(['每日限购', 'Limit per day'], 'day', 'limit_day'),
  limit_person: limit(['每人限购', 'Limit per person'], 'person', 'limit_person'),
  refund_rule: ask.choice({
    label: ['退款规则', 'Refunds'],
    options: refundRules,
    initial: rows => first(row => row.refund_rule)(rows) ?? 'unused',
    check: judged('refund_rule', was),
  }),
  gift: ask.flag({
    label: ['可赠送', 'Giftable'],
    initial: rows => first(row => row.gift)(rows) ?? false,
  }),
  greetings: ask.text({
    label: ['祝福语（每行一条）', 'Greetings, one per line'],
    max: 600,
    lines: 3,
    optional: true,
    shown: (of: CardAnswers) => of.gift === true,
    initial: first(row => row.greetings.join('\n') || undefined),
    check: typed =>
      linesOf(typed).length > 10 || linesOf(typed).some(line => line.length > 60)
        ? ['最多 10 条，每条 60 字以内', 'Up to 10, 60 characters each']
        : undefined,
  }),
  notice: ask.text({
    label: ['使用须知', 'Terms of use'],
    max: 2000,
    lines: 3,
    optional: true,
    initial: first(row => row.notice || undefined),
  }),
  agreement: ask.text({
    label: ['购卡协议', 'Purchase agreement'],
    max: 20_000,
    lines: 4,
    optional: 'in-draft',
    initial: first(row => row.agreement || undefined),
  }),
})
const faces = ask.text({
  label: ['面值（面值 售价 成本）', 'Face values (value, price, cost)'],
  max: 1000,
  lines: 4,
  optional: 'in-draft',
  hint: [
    '单位为元，售价与成本可省略，如 100 98 90；多个面值用分号隔开，或按 Shift+Enter 换行',
    'In yuan; price and cost are optional, e.g. 100 98 90; separate with semicolons or Shift+Enter',
  ],
  check: (typed, answers: CardAnswers) => {
    const read = readFaceLines(typed)
    return read.fault ?? faceLinesFault(read.faces, writtenOf(answers))
  },
})
const reason = ask.text({
  label: ['修改原因', 'Why it is changed'],
  min: 2,
  max: 255,
  hint: ['已上架的卡须写明，记入操作日志', 'Required for cards on sale; logged'],
})
/** The card whose promises bind the form; none before the first sale. */
export const boundBy = (of: CardWhole | undefined): CardWhole | undefined =>
  of?.was_sold ? of : undefined
/** The questions of a new card, which begins with its faces. */
export const newAsks = (): Record<string, Ask> => ({
  ...whatAsks(),
  ...looksAsks(),
  faces,
  ...moneyAsks(),
  ...validAsks(),
  ...buyAsks(),
})
/** Those of a card that stands: none that its sold cards rest on, and why while it is on sale. */
export const cardAsks = (of: CardWhole): Record<string, Ask> => {
  const was = boundBy(of)
  const all = { ...whatAsks(), ...looksAsks(), ...moneyAsks(), ...validAsks(was), ...buyAsks(was) }
  const held: readonly string[] = was ? soldLocks : []
  return {
    ...Object.fromEntries(Object.entries<Ask>(all).filter(([name]) => !held.includes(name))),
    ...(of.state === 'on' && { reason }),
  }
}
