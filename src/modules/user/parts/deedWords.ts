import { sanctionKinds } from '#src/areas/member/member.ts'
import { profileFields } from '#src/areas/pointsRule/earning.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Deed } from '../contract/log.ts'

type Detail = Deed['detail']
const until = (at: number | null | undefined): Text =>
  at ? [`至 ${dateOf(at)}`, `until ${dateOf(at)}`] : ['长期', 'no end date']
const sanctionOf = ({ sanction, step, until: end }: Detail): Text[] => {
  if (!sanction) return []
  const name = sanctionKinds[sanction]
  return step === 'lift' ? [[`解除${name[0]}`, `${name[1]} lifted`]] : [name, until(end)]
}
/** What a line says of the thing it is about, in its parts; none where it says no more than its kind. */
export const wordsOf = (detail: Detail): Text[] => {
  const { no, cents, coupon, product, qty, rating, fields, by } = detail
  const money = cents === undefined ? '' : `¥${yuan(cents)}`
  return [
    ...(no ? [[no, no] as Text] : []),
    ...(money ? [[money, money] as Text] : []),
    ...[coupon, product].flatMap(name => (name ? [[name, name] as Text] : [])),
    ...(qty !== undefined && qty > 1 ? [[`${qty} 张`, `${qty} pieces`] as Text] : []),
    ...(rating === undefined ? [] : [[`${rating} 星`, `${rating} stars`] as Text]),
    ...(fields ?? []).map(field => profileFields[field]),
    ...sanctionOf(detail),
    ...(by === 'staff' ? [['员工办理', 'by staff'] as Text] : []),
    ...(by === 'rule' ? [['系统规则', 'by a rule'] as Text] : []),
  ]
}
