import { BanCircle as Ban, Confirm, Time } from '@blueprintjs/icons'
import { buyerless, limitResults, limitRules } from '#src/areas/limit/limits.ts'
import { colon } from '#src/domain/text.ts'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { LimitRow } from '../contract/buyLimitLog.ts'

const looks = {
  blocked: { tone: 'bad', icon: Ban },
  released: { tone: 'warn', icon: Time },
  used: { tone: 'good', icon: Confirm },
} as const
/** Where a block stands, with who released it. */
export const LimitResultBadge = ({ row }: { row: LimitRow }) => {
  const say = useSay()
  return (
    <Badge
      {...looks[row.result]}
      {...(row.release_by_name
        ? { title: `${row.release_by_name}${say(colon)}${row.release_reason ?? ''}` }
        : {})}
    >
      {say(limitResults[row.result])}
    </Badge>
  )
}
/** The mark of a member on the black list. */
export const Black = () => {
  const say = useSay()
  return (
    <Badge tone="bad" icon={Ban}>
      <span className="m-sr">{say(['黑名单', 'Black list'])}</span>
    </Badge>
  )
}
/** The limit that stopped a purchase: a rule by its name, others by their kind. */
export const LimitName = ({ row }: { row: Pick<LimitRow, 'rule' | 'rule_said'> }) => {
  const say = useSay()
  return row.rule_said?.name ?? say(limitRules[row.rule])
}
/** The buyer that was stopped. */
export const Buyer = ({ row }: { row: LimitRow }) => {
  const say = useSay()
  return row.member_id === null ? say(buyerless(row)) : row.nickname
}
