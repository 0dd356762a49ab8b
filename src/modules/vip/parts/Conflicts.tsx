import { discountScopes, discountText } from '#src/areas/vipCard/discount.ts'
import type { Text } from '#src/domain/text.ts'
import { onOff, SmallTable, State } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Section, Span } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { vipDiscounts as calls, type DiscountRow } from '../contract/cardDiscount.ts'

const how = {
  same: ['同范围，时间重叠', 'The same, overlapping'],
  wider: ['范围更大，本条优先', 'Wider: this line wins'],
  narrower: ['范围更小，对方优先', 'Narrower: that line wins'],
} as const satisfies Record<string, Text>
/** Lines of the same plan at the same time: which overlaps, and which of them wins. */
export const Conflicts = ({ row }: { row: DiscountRow }) => {
  const say = useSay()
  const read = useRead(calls.checkConflict, { id: row.id })
  return (
    <Section title={say(['规则冲突', 'Conflicts'])}>
      <Answer of={read} none={say(['同期没有其他折扣', 'No other line at that time'])}>
        {({ list }) => (
          <SmallTable
            head={[
              ['折扣', 'Line'],
              ['期间', 'Period'],
              ['状态', 'State'],
              ['关系', 'How'],
            ]}
            rows={list}
            keyOf={one => one.id}
            cells={one => [
              `#${one.id} ${say(discountScopes[one.scope])} ${one.target} ${say(discountText(one.discount_bp))}`,
              <Span key="period" from={one.start_at} to={one.end_at} />,
              <State key="state" of={one.status} in={onOff} />,
              say(how[one.how]),
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
