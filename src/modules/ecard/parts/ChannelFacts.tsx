import { channelSentence } from '#src/areas/ecard/channel.ts'
import {
  channelTypes,
  ledgerTypes,
  requestKinds,
  requestStates,
  settleTypes,
} from '#src/areas/ecard/ecard.ts'
import { percent } from '#src/domain/money.ts'
import { colon, comma, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { SmallTable, State } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { imageUrl } from '#src/kit/image.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { ecardChannels as calls, type ChannelRow } from '../contract/channel.ts'
import { backRate, channelLooks } from './channelLooks.tsx'

type Props = { row: ChannelRow }
const day = (at: number | null) => (at === null ? '—' : timeFull(at).slice(0, 10))
const Paper = ({ of, words }: { of: string; words: Text }) => {
  const say = useSay()
  return of ? (
    <a href={imageUrl(of)} target="_blank" rel="noreferrer">
      {say(words)}
    </a>
  ) : null
}
/** The request that waits for a second person, before all else. */
const Waiting = ({ row }: Props) => {
  const say = useSay()
  const { request } = row
  if (!request) return null
  return (
    <Section title={say(['待复核', 'Awaiting approval'])}>
      <Facts>
        <Fact label={say(requestKinds[request.kind])}>
          <Money cents={request.amount_cents} />
        </Fact>
        <Fact label={say(['提交人', 'Submitted by'])}>{request.maker}</Fact>
        <Fact label={say(['提交时间', 'Submitted'])}>
          <When at={request.created_at} />
        </Fact>
        {request.reason && (
          <Fact wide label={say(['原因', 'Why'])}>
            {request.reason}
          </Fact>
        )}
        {request.proof && (
          <Fact label={say(['凭证', 'Proof'])}>
            <Paper of={request.proof} words={['查看凭证', 'See the proof']} />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/** The terms and the most that they can cost, in one sentence, and line by line. */
const Terms = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['可售卡与敞口', 'Cards and exposure'])}>
      <p>{say(channelSentence(row))}</p>
      {row.cards.length > 0 && (
        <SmallTable
          head={[
            ['可售卡', 'Card'],
            ['折扣', 'Rate'],
            ['已发 / 额度', 'Issued / quota'],
          ]}
          rows={row.cards}
          keyOf={one => one.id}
          cells={one => [
            <span key="name">
              {one.name} {!one.sold && <Badge tone="warn">{say(['已下架', 'Off sale'])}</Badge>}
            </span>,
            percent(one.discount_bp),
            `${one.issued_n.toLocaleString()} / ${one.quota_n.toLocaleString()}`,
          ]}
        />
      )}
    </Section>
  )
}
const see: Text = ['查看合同', 'See the contract']
const Company = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['合同与联系人', 'Contract and contact'])}>
      <Facts>
        <Fact label={say(['类型', 'Type'])}>{say(channelTypes[row.type])}</Fact>
        <Fact label={say(['结算方式', 'Settlement'])}>{say(settleTypes[row.settle_type])}</Fact>
        <Fact wide label={say(['公司', 'Company'])}>
          {row.company || '—'}
        </Fact>
        {row.tax_no && (
          <Fact wide label={say(['信用代码', 'Credit code'])}>
            <span className="m-num">{row.tax_no}</span>
          </Fact>
        )}
        <Fact wide label={say(['合同期', 'Contract'])}>
          {day(row.start_at)} ~ {day(row.end_at)} <Paper of={row.contract} words={see} />
        </Fact>
        {row.periods.map(one => (
          <Fact key={one.start_at} wide label={say(['其他合同期', 'Another period'])}>
            {day(one.start_at)} ~ {day(one.end_at)} <Paper of={one.contract} words={see} />
          </Fact>
        ))}
        <Fact label={say(['联系人', 'Contact'])}>{row.contact || '—'}</Fact>
        <Fact label={say(['电话', 'Phone'])}>{row.phone || '—'}</Fact>
        {row.type === 'api' && (
          <>
            <Fact wide label={say(['接口密钥', 'API key'])}>
              <code>
                {row.app_key || say(['尚未生成，请重置密钥', 'Not created yet: reset the key'])}
              </code>
            </Fact>
            {row.old_key_until !== null && (
              <Fact label={say(['旧密钥失效', 'Old key expires'])}>
                <When at={row.old_key_until} />
              </Fact>
            )}
            <Fact wide label={say(['IP 白名单', 'IP allowlist'])}>
              {row.ip_list.join(say(comma)) || '—'}
            </Fact>
          </>
        )}
        {row.status_reason && (
          <Fact wide label={say(['停用原因', 'Reason stopped'])}>
            {row.status_reason}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Ledger = ({ row }: Props) => {
  const say = useSay()
  const money = useRead(calls.money, { id: row.id })
  return (
    <Section title={say(['资金流水', 'Transactions'])}>
      <Answer of={money}>
        {({ ledger, requests }) => (
          <>
            {ledger.length === 0 && (
              <p className="m-muted">{say(['还没有流水', 'No transactions yet'])}</p>
            )}
            {ledger.length > 0 && (
              <SmallTable
                head={[
                  ['时间', 'When'],
                  ['类型', 'What'],
                  ['金额', 'Amount'],
                  ['余额', 'Balance'],
                ]}
                rows={ledger}
                keyOf={one => one.id}
                cells={one => [
                  <When key="at" at={one.created_at} />,
                  <span key="type" title={[one.by, one.second, one.reason].join(' ')}>
                    {say(ledgerTypes[one.type])}
                  </span>,
                  <Money key="sum" cents={one.amount_cents} />,
                  <Money key="left" cents={one.balance_after_cents} />,
                ]}
              />
            )}
            {requests
              .filter(one => one.state !== 'waiting')
              .slice(0, 5)
              .map(one => (
                <p key={one.id} className="m-muted">
                  {say(requestKinds[one.kind])} <Money cents={one.amount_cents} /> ·{' '}
                  {say(requestStates[one.state])} · {one.maker} → {one.decider}
                  {one.decided_reason && `${say(colon)}${one.decided_reason}`}
                </p>
              ))}
          </>
        )}
      </Answer>
    </Section>
  )
}
const Issues = ({ row }: Props) => {
  const say = useSay()
  const issues = useRead(calls.issues, { id: row.id })
  return (
    <Section title={say(['发卡记录', 'Issues'])}>
      <Answer of={issues} none={say(['还没有发过卡', 'No cards issued yet'])}>
        {({ list }) => (
          <SmallTable
            head={[
              ['时间', 'When'],
              ['卡', 'Card'],
              ['张数', 'Cards'],
              ['金额', 'Amount'],
            ]}
            rows={list}
            keyOf={one => one.id}
            cells={one => [
              <When key="at" at={one.created_at} />,
              <span key="name" title={one.out_no || one.by}>
                {one.name}
              </span>,
              one.back_n > 0
                ? say(['{n}（退 {b}）', '{n} ({b} back)'], { n: one.n, b: one.back_n })
                : one.n.toLocaleString(),
              <Money key="sum" cents={one.cost_cents} />,
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
/** A channel: its money first, then its terms, and what became of both. */
export const ChannelDetail = ({ row }: Props) => {
  const say = useSay()
  const debt = row.balance_cents < 0
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={channelLooks} />}>
      <Waiting row={row} />
      <Section title={say(['资金与用量', 'Funds and usage'])}>
        <Facts>
          <Fact label={say(['余额', 'Balance'])}>
            <Money cents={row.balance_cents} />{' '}
            {debt && <Badge tone="bad">{say(['欠款', 'In debt'])}</Badge>}
          </Fact>
          <Fact label={say(['授信', 'Credit'])}>
            <Money cents={row.credit_cents} />
          </Fact>
          <Fact label={say(['可用', 'Available'])}>
            <Money cents={row.balance_cents + row.credit_cents} />
          </Fact>
          <Fact label={say(['已发', 'Issued'])}>{row.issued_n}</Fact>
          <Fact label={say(['已激活', 'Activated'])}>{row.activated_n}</Fact>
          <Fact label={say(['退卡率', 'Return rate'])}>{backRate(row)}</Fact>
        </Facts>
      </Section>
      <Terms row={row} />
      <Company row={row} />
      <Ledger row={row} />
      <Issues row={row} />
    </Inspector>
  )
}
