import type { WelcomeAttachment } from '#src/areas/welcome/attachment.ts'
import { sayingFaults } from '#src/areas/welcome/saying.ts'
import { ATTACHMENTS_MOST } from '#src/areas/welcome/welcome.ts'
import type { Read } from '#src/contract/call.ts'
import type { WelcomeRow } from '#src/contract/welcome.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import { ask } from './command.ts'
import {
  cardAsks,
  hasCard,
  linkAsked,
  materialsAsk,
  miniAsked,
  type AskedCards,
} from './welcomeCards.ts'

/** The questions of what a welcome message says. */
type Rows = readonly (WelcomeRow | undefined)[]
export const nameAsk = ask.text({
  label: ['名称', 'Name'],
  max: 40,
  initial: ([row]: Rows) => row?.name,
  hint: ['仅后台可见', 'Only seen in the console'],
})
const wordAsks = {
  text: ask.text({
    label: ['文字', 'Text'],
    max: 4000,
    lines: 5,
    optional: true,
    initial: ([row]: Rows) => row?.text,
    hint: [
      '可用变量：{客户昵称} {员工姓名} {门店名}',
      'Variables: {客户昵称} customer, {员工姓名} adviser, {门店名} mall',
    ],
    check: (text: string) =>
      text.trim() === '' ? undefined : sayingFaults({ text, attachments: [] }).text,
  }),
  images: ask.images({
    label: ['图片', 'Pictures'],
    max: ATTACHMENTS_MOST,
    optional: true,
    initial: ([row]: Rows) =>
      row?.attachments.flatMap(one => (one.kind === 'image' ? [one.key] : [])),
    hint: ['JPG 或 PNG', 'JPG or PNG'],
    field: 'attachments',
  }),
}
export const sayingAsks = ({ coupons, materials }: { coupons: Read; materials: Read }) => ({
  ...wordAsks,
  ...cardAsks,
  materials: materialsAsk(materials),
  coupon_id: ask.entity({
    label: ['礼券', 'Coupon'],
    find: coupons,
    labelOf: (of: { name: string; left: number }, lang: Lang) =>
      `${of.name}${say(aside, lang, { it: of.left })}`,
    initial: ([row]: Rows) => row?.coupon_id ?? undefined,
    named: ([row]) => (row as WelcomeRow | undefined)?.coupon?.name,
    none: ['没有发放中的优惠券', 'No coupon is being issued'],
    optional: true,
    hint: ['每人每条欢迎语只发一次', 'Once per person per message'],
  }),
})
/** The same questions for a message that is new, though they are asked of a row. */
export const newSayingAsks = (finds: { coupons: Read; materials: Read }) =>
  Object.fromEntries(
    Object.entries({ name: nameAsk, ...sayingAsks(finds) }).map(([key, of]) => {
      const { initial, ...ask } = of
      return [key, { ...ask, initial: () => initial?.([]), named: undefined }]
    }),
  ) as unknown as { name: typeof nameAsk } & ReturnType<typeof sayingAsks>
export type AskedSaying = AskedCards & {
  name: string
  text?: string
  images?: readonly string[]
  cards?: readonly string[]
  materials?: readonly number[]
  coupon_id?: number
}
const attachmentsOf = (asked: AskedSaying): WelcomeAttachment[] => {
  const found: WelcomeAttachment[] = (asked.images ?? []).map(key => ({ kind: 'image', key }))
  if (hasCard('link')(asked)) found.push(linkAsked(asked))
  if (hasCard('miniprogram')(asked)) found.push(miniAsked(asked))
  for (const id of asked.materials ?? []) found.push({ kind: 'material', id })
  return found
}
/** What was answered, as a rule holds it. */
export const sayingOf = (asked: AskedSaying) => ({
  name: asked.name,
  text: asked.text ?? '',
  attachments: attachmentsOf(asked),
  coupon_id: asked.coupon_id ?? null,
})
