import {
  receiverRoles,
  receiverStates,
  doings,
  type ReceiverState,
} from '#src/areas/split/split.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { SplitRow as Row } from '../contract/splitOrders.ts'
import { SplitMark } from './splitLooks.tsx'

const tones: Partial<Record<ReceiverState, ToneName>> = {
  done: 'good',
  failed: 'bad',
  processing: 'info',
}
const Receivers = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['接收方', 'Receivers'])}>
      <SmallTable
        head={[
          ['角色', 'Role'],
          ['名称', 'Name'],
          ['应分', 'Share'],
          ['已回退', 'Returned'],
          ['结果', 'Result'],
        ]}
        rows={row.receivers}
        keyOf={one => one.id}
        cells={one => [
          say(receiverRoles[one.role]),
          one.name,
          <Money key="cents" cents={one.amount_cents} />,
          one.returned_cents ? <Money key="back" cents={one.returned_cents} /> : '—',
          <span key="state">
            <Badge tone={tones[one.status]}>{say(receiverStates[one.status])}</Badge>
            {one.status === 'failed' && <span className="m-bad"> {one.fail_reason}</span>}
          </span>,
        ]}
      />
    </Section>
  )
}
/** What finance looks at before it shares again, skips or unfreezes. */
export const SplitFile = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.split_no} aside={<SplitMark row={row} />}>
      <Receivers row={row} />
      <Section title={say(['金额', 'Amount'])}>
        <Facts>
          <Fact label={say(['订单实付', 'Paid'])}>
            <Money cents={row.order_cents} sign />
          </Fact>
          <Fact label={say(['可分金额', 'Shareable'])}>
            <Money cents={row.splittable_cents} sign />
          </Fact>
          <Fact label={say(['应分合计', 'Share due'])}>
            <Money cents={row.total_cents} sign />
          </Fact>
          <Fact label={say(['已回退', 'Returned'])}>
            <Money cents={row.returned_cents} sign />
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['处理', 'Handling'])}>
        <Facts>
          <Fact label={say(['订单号', 'Order no.'])}>
            <span className="m-num">{row.order_no}</span>
          </Fact>
          <Fact label={say(['商户', 'Merchant'])}>{row.merchant_name}</Fact>
          <Fact label={say(['微信支付单号', 'Payment no.'])} wide>
            <span className="m-num">{row.transaction_no}</span>
          </Fact>
          <Fact label={say(['分账期限', 'Deadline'])}>
            <When at={row.deadline_at} />
          </Fact>
          <Fact label={say(['请求次数', 'Requests'])}>{row.requests}</Fact>
          {row.out_no && (
            <Fact label={say(['请求单号', 'Request no.'])} wide>
              {say(doings[row.doing])} <span className="m-num">{row.out_no}</span>
            </Fact>
          )}
          {row.finished_at && (
            <Fact label={say(['完成时间', 'Finished at'])}>
              <When at={row.finished_at} />
            </Fact>
          )}
          {row.fail_reason && (
            <Fact label={say(['失败原因', 'Failure reason'])} wide>
              <span className="m-bad">{row.fail_reason}</span>
            </Fact>
          )}
          {row.reason && (
            <Fact label={say(['说明', 'Reason'])} wide>
              {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}
