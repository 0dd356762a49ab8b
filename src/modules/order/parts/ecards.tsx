import { Button } from '@blueprintjs/core'
import { useState, type ReactNode } from 'react'
import { identityKinds, moveStates } from '#src/areas/ecard/cardOrder.ts'
import { codeStates, giftStates, ledgerTypes, type CodeState } from '#src/areas/ecard/ecard.ts'
import { riskStates } from '#src/areas/risk/risk.ts'
import type { Read } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { useRead } from '#src/kit/data.ts'
import { Badge, Fact, Facts, Keys, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import type { CardOfOrder, CardsOfOrder, GiftOfOrder, MoveOfOrder } from '../contract/ecard.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import './eRefund.css'

const tones: Partial<Record<CodeState, ToneName>> = {
  sold: 'info',
  active: 'good',
  frozen: 'bad',
  refunding: 'warn',
}
const minute = (at: number) => timeFull(at).slice(0, 16)
/** Why a card stands as it does: who froze it, since when it is shown, why it can't go back. */
const Notes = ({ of }: { of: CardOfOrder }) => {
  const say = useSay()
  return (
    <>
      {of.state === 'frozen' && (
        <div className="m-bad">
          {say(['{who} 于 {at} 冻结：{why}', 'Frozen by {who}, {at}: {why}'], {
            who: of.frozen_by ?? '—',
            at: of.frozen_at ? minute(of.frozen_at) : '—',
            why: of.reason ?? '—',
          })}
        </div>
      )}
      {of.shown_at !== null && (
        <div className="m-muted">
          {say(['卡密已于 {at} 查看，不能退款', 'Its secret was shown {at}: no refund'], {
            at: minute(of.shown_at),
          })}
        </div>
      )}
    </>
  )
}
/** What moved a card's money; what was spent and what is left are its face. */
const Moves = ({ of }: { of: CardOfOrder }) => {
  const say = useSay()
  return (
    <tr>
      <td />
      <td colSpan={6}>
        <ul className="r-rows">
          {of.moves.map(one => (
            <li key={one.id}>
              <When at={one.at} />
              <span>{say(ledgerTypes[one.type])}</span>
              <span>
                <Money cents={one.amount_cents} />{' '}
                <span className="m-muted">
                  {say(['余额', 'left'])} <Money cents={one.balance_after_cents} />
                </span>
              </span>
            </li>
          ))}
          <li>
            <span>{say(['合计', 'Total'])}</span>
            <span className="m-num">
              {say(['消费', 'Spent'])} <Money cents={of.spent_cents} /> + {say(['余额', 'left'])}{' '}
              <Money cents={of.balance_cents} /> = {say(['面值', 'face'])}{' '}
              <Money cents={of.face_cents} />
            </span>
            <span />
          </li>
        </ul>
      </td>
    </tr>
  )
}
const Card = ({
  of,
  chosen,
  onChoose,
}: {
  of: CardOfOrder
  chosen: boolean
  onChoose: () => void
}) => {
  const say = useSay()
  return (
    <>
      <tr>
        <td>
          <input
            type="checkbox"
            aria-label={say(['选中尾号 {tail}', 'Choose …{tail}'], { tail: of.tail })}
            checked={chosen}
            onChange={onChoose}
          />
        </td>
        <td>
          <span className="m-num">{of.card_no ?? `····${of.tail}`}</span>
          <Notes of={of} />
        </td>
        <td>
          <Badge tone={tones[of.state] ?? 'plain'}>{say(codeStates[of.state])}</Badge>
          {of.gift_state !== 'none' && <Badge>{say(giftStates[of.gift_state])}</Badge>}
        </td>
        <td>
          {of.holder?.name ?? <span className="m-muted">{say(['未绑定', 'Not bound'])}</span>}
        </td>
        <td className="o-right">
          <Money cents={of.face_cents} />
        </td>
        <td className="o-right">
          <Money cents={of.balance_cents} />
        </td>
        <td>{of.valid_until === null ? say(['长期', 'No end']) : <When at={of.valid_until} />}</td>
      </tr>
      {of.moves.length > 0 && <Moves of={of} />}
    </>
  )
}
/** The cards of an order, to choose from, each with its money. */
export const Cards = ({
  of,
  chosen,
  onChoose,
}: {
  of: readonly CardOfOrder[]
  chosen: ReadonlySet<number>
  onChoose: (id: number) => void
}) => {
  const say = useSay()
  return (
    <table className="o-table">
      <thead>
        <tr>
          <th>
            <span className="m-sr">{say(['选择', 'Choose'])}</span>
          </th>
          <th>{say(['卡号', 'Number'])}</th>
          <th>{say(['状态', 'State'])}</th>
          <th>{say(['持卡人', 'Holder'])}</th>
          <th className="o-right">{say(['面值', 'Face'])}</th>
          <th className="o-right">{say(['余额', 'Left'])}</th>
          <th>{say(['有效期至', 'Good until'])}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(one => (
          <Card
            key={one.id}
            of={one}
            chosen={chosen.has(one.id)}
            onChoose={() => onChoose(one.id)}
          />
        ))}
      </tbody>
    </table>
  )
}
/** Cards, or what else a long order has, that are shown at a time. */
export const SHOWN = 50
const range: Text = ['第 {from}–{till} 张，共 {total} 张', '{from}–{till} of {total}']
/** Leads through what an order has more of than is shown at a time; cards, unless `words` says otherwise. */
export const Pages = ({
  at,
  total,
  go,
  words = range,
}: {
  at: number
  total: number
  go: (page: number) => void
  words?: Text
}) => {
  const say = useSay()
  if (total <= SHOWN) return <span className="m-muted m-num">{total}</span>
  return (
    <span className="m-muted m-num">
      <Button
        variant="minimal"
        size="small"
        disabled={at === 1}
        onClick={() => go(at - 1)}
        text={say(['上一页', 'Back'])}
      />
      {say(words, { from: (at - 1) * SHOWN + 1, till: Math.min(at * SHOWN, total), total })}
      <Button
        variant="minimal"
        size="small"
        disabled={at * SHOWN >= total}
        onClick={() => go(at + 1)}
        text={say(['下一页', 'Next'])}
      />
    </span>
  )
}
type Asked = { id: number; page?: number | undefined; pageSize?: number | undefined }
type Listed = { list: readonly unknown[]; total: number }
/** What an order has many of, page by page; nothing where it has none. */
export const PagedSection = <P, R extends Listed>({
  of,
  order_id,
  title,
  children,
}: {
  of: Read<Asked, P, R>
  order_id: number
  title: Text
  children: (list: R['list']) => ReactNode
}) => {
  const say = useSay()
  const [page, setPage] = useState(1)
  const read = useRead(of, { id: order_id, page, pageSize: SHOWN })
  const total = read.data?.total ?? 0
  if (total === 0 && !read.error) return null
  return (
    <Section
      title={say(title)}
      aside={
        <Pages
          at={page}
          total={total}
          go={setPage}
          words={['第 {from}–{till} 条，共 {total} 条', '{from}–{till} of {total}']}
        />
      }
    >
      <Answer of={read}>{({ list }) => children(list)}</Answer>
    </Section>
  )
}
type Line = { at: number; children: ReactNode; end: ReactNode }
/** A thing that happened to cards of the order: when, what, and how it stands. */
const Happened = ({ at, children, end }: Line) => (
  <li>
    <When at={at} />
    <span>{children}</span>
    {end}
  </li>
)
export const Gifts = ({ of }: { of: readonly GiftOfOrder[] }) => {
  const say = useSay()
  return (
    <ul className="r-rows">
      {of.map(one => (
        <Happened
          key={one.id}
          at={one.sent_at}
          end={
            <span>
              <Badge tone={one.state === 'sent' ? 'warn' : 'plain'}>
                {say(giftStates[one.state])}
              </Badge>{' '}
              {one.ended_at !== null && <When at={one.ended_at} />}
            </span>
          }
        >
          {say(['{from} 赠出尾号 {tail}', '{from} gave …{tail}'], {
            from: one.from_name,
            tail: one.tail,
          })}
          {one.to_name && say(['，{to} 领取', ', taken by {to}'], { to: one.to_name })}
          {one.greeting && <span className="m-muted"> {one.greeting}</span>}
          {one.why && <div className="m-muted">{one.why}</div>}
        </Happened>
      ))}
    </ul>
  )
}
/** Changes of holders, each with both phones and both persons of staff. */
export const HolderMoves = ({ of }: { of: readonly MoveOfOrder[] }) => {
  const say = useSay()
  return (
    <ul className="r-rows">
      {of.map(one => (
        <Happened
          key={one.id}
          at={one.at}
          end={
            <Badge tone={one.state === 'asked' ? 'warn' : 'plain'}>
              {say(moveStates[one.state])}
            </Badge>
          }
        >
          ····{one.tail} {one.from_name} <span className="m-num">{one.from_phone ?? ''}</span> →{' '}
          {one.to_name} <span className="m-num">{one.to_phone ?? ''}</span>
          <div className="m-muted">
            {one.first_name} · {one.reason}
            {one.second_name && ` ／ ${one.second_name} · ${one.second_reason ?? ''}`}
          </div>
        </Happened>
      ))}
    </ul>
  )
}
export const Risks = ({ of }: { of: CardsOfOrder['risks'] }) => {
  const say = useSay()
  return (
    <ul className="r-rows">
      {of.map(one => (
        <Happened
          key={one.id}
          at={one.at}
          end={
            <Badge tone={one.state === 'released' ? 'plain' : 'bad'}>
              {say(riskStates[one.state])}
            </Badge>
          }
        >
          {say(['命中 {id}，{score} 分', 'Hit {id}, score {score}'], {
            id: one.id,
            score: one.score,
          })}
        </Happened>
      ))}
    </ul>
  )
}
/** The identity of the buyer, as the law has it kept. */
export const Identity = ({ of }: { of: NonNullable<CardsOfOrder['identity']> }) => {
  const say = useSay()
  return (
    <Section title={say(['购卡人身份登记', 'Identity of the buyer'])}>
      <Facts>
        <Fact label={say(['类型', 'Kind'])}>{say(identityKinds[of.kind])}</Fact>
        <Fact label={say(['姓名或名称', 'Name'])}>{of.name ?? '—'}</Fact>
        <Fact wide label={say(['证件号', 'ID number'])}>
          <span className="m-num">{of.id_no ?? '—'}</span>
        </Fact>
      </Facts>
    </Section>
  )
}
/** A change of holder that waits for another person, with how to decide it. */
export const MoveNotice = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  const { keysOf, me } = useWorkbench()
  const of = row.cards?.move
  return (
    of && (
      <div className="o-notice" data-tone="warn" role="status">
        <span>
          {say(
            [
              '{who} 申请把尾号 {tail} 的卡由 {from} 变更给 {to}：{why}',
              '{who} asks to move card …{tail} from {from} to {to}: {why}',
            ],
            {
              who: of.first_name,
              tail: of.tail,
              from: of.from_name,
              to: of.to_name,
              why: of.reason,
            },
          )}
        </span>
        <When at={of.at} />
        {of.first_by === me.id ? (
          <span className="m-muted">{say(['须另一人复核', 'Another person must agree'])}</span>
        ) : (
          <span>
            <Keys keys={keysOf('ecard.order.detail.confirmMove')} /> {say(['同意', 'Agree'])}　
            <Keys keys={keysOf('ecard.order.detail.refuseMove')} /> {say(['不同意', 'Refuse'])}
          </span>
        )}
      </div>
    )
  )
}
