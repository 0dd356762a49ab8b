import { ArrowRight } from '@blueprintjs/icons'
import type { RuleChange } from '#src/areas/order/orderRuleWords.ts'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'

/** What changes, in business words. */
export const RuleChanges = ({
  of,
  none,
}: {
  of: readonly Pick<RuleChange, 'title' | 'before' | 'after' | 'refund'>[]
  none: string
}) => {
  const say = useSay()
  if (of.length === 0) return <p className="m-muted oc-none">{none}</p>
  return (
    <ul className="oc-changes">
      {of.map(one => (
        <li key={one.title[0]}>
          <b>{say(one.title)}</b>
          {one.refund && <Badge tone="warn">{say(['退款规则', 'Refunds'])}</Badge>}
          <span>
            <del>{say(one.before)}</del>
            <ArrowRight size={12} aria-label={say(['改为', 'becomes'])} />
            <ins>{say(one.after)}</ins>
          </span>
        </li>
      ))}
    </ul>
  )
}
