import { cardActions } from '#commands/order/card.ts'
import { yuan } from '#src/domain/money.ts'
import { comma } from '#src/domain/text.ts'
import { Badge, Keys, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import type { OrderRow } from '../contract/orderRow.ts'

/** Says who may agree, where uses were given above one's limit. */
export const useTimesWait = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(
    cardActions.addTimes,
    ({ waits }: { waits: { worth_cents: number; who: string[] } | null }) => {
      if (waits)
        toast(
          say(
            [
              '连同已补偿的合计 {cents} 元，超过你的额度，已提交另一人复核：{who}',
              'Worth ¥{cents} with those given before, above your limit. Another person must agree: {who}',
            ],
            { cents: yuan(waits.worth_cents), who: waits.who.join(say(comma)) || '—' },
          ),
          'none',
        )
      return waits !== null
    },
  )
}
export const TimesAsked = ({ row: { times_ask: of } }: { row: OrderRow }) => {
  const say = useSay()
  return (
    of && (
      <Badge tone="warn" title={say(['补偿 {n} 次待复核', '{n} uses to confirm'], { n: of.times })}>
        {say(['+{n} 待复核', '+{n} waits'], { n: of.times })}
      </Badge>
    )
  )
}
/** Uses that wait for another person, with how to decide them. */
export const TimesNotice = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  const { keysOf, me } = useWorkbench()
  const of = row.times_ask
  return (
    of && (
      <div className="o-notice" data-tone="warn" role="status">
        <span>
          {say(
            [
              '{who} 申请给尾号 {tail} 补偿 {n} 次，连同已补偿的合计 ¥{cents}：{why}',
              '{who} asks for {n} uses of …{tail}, worth ¥{cents} with those given before: {why}',
            ],
            {
              who: of.first_name,
              tail: of.tail,
              n: of.times,
              cents: yuan(of.worth_cents),
              why: of.reason,
            },
          )}
        </span>
        <When at={of.at} />
        {of.first_by === me.id ? (
          <span className="m-muted">{say(['须另一人复核', 'Another person must agree'])}</span>
        ) : (
          <span>
            <Keys keys={keysOf('order.card.confirmTimes')} /> {say(['同意', 'Agree'])}　
            <Keys keys={keysOf('order.card.refuseTimes')} /> {say(['不同意', 'Refuse'])}
          </span>
        )}
      </div>
    )
  )
}
