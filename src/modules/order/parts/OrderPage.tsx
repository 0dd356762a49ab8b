import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { useSearch } from 'wouter'
import type { Action } from '#commands/command.ts'
import { offeredReasons, offeredRefusals } from '#commands/order/reasons.ts'
import type { Text } from '#src/domain/text.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useReasons } from '#src/kit/queue.ts'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { Facts, Section } from '#src/kit/show.tsx'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useResult, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import type { ListCalls, OrderDetail } from '../contract/shared.ts'
import { Codes, Uses, type Choose } from './codes.tsx'
import { OrderHead } from './OrderHead.tsx'
import { MoneyLines, Payments, Refunds } from './orderMoney.tsx'
import { Buyer, Head, Items, SentMessages, Shipments, Timeline } from './show.tsx'

type Props = {
  calls: ListCalls
  actions: readonly Action[]
  /** Sections of the page's own, above the codes. */
  children?: (of: OrderDetail) => ReactNode
  /** What the page's own sections chose, beside codes and a redemption. Give a stable value. */
  chosen?: object | ((of: OrderDetail) => object)
  /** Sections that the page draws itself. */
  own?: readonly ('items' | 'parcels' | 'messages')[]
  /** More facts of the order. */
  facts?: (of: OrderDetail) => ReactNode
  revealPhone: Action
  revealCode?: Action
  /** What is revealed, where it is no code. */
  codeLabel?: Text
  queryPay?: Action
}
const said = {
  success: ['渠道：已支付', 'The channel: paid'],
  pending: ['渠道：尚未支付', 'The channel: not yet paid'],
  failed: ['渠道：没有这笔支付', 'The channel knows no such payment'],
  unknown: ['渠道没有应答，请稍后再查', 'The channel did not answer'],
  none: ['没有待查的支付', 'There is no payment to ask for'],
} as const
type Said = { phone: string; code: string; seconds: number; left: number; said: keyof typeof said }
const Result = ({ of, by }: { of: Action; by: (result: Said) => unknown }) => {
  useResult(of, by)
  return null
}
/** An order as its actions take it, with what is chosen of it. */
const rowOf = (
  of: OrderDetail,
  codes: ReadonlySet<number>,
  use: number | undefined,
  chosen: Props['chosen'],
) => ({
  ...of.order,
  code_ids: [...codes],
  ...(codes.size > 0 && {
    chosen_cents: of.codes.reduce(
      (all, code) => all + (codes.has(code.id) ? code.left_pay_cents : 0),
      0,
    ),
  }),
  ...(codes.size === 1 && { code_id: [...codes][0] }),
  ...(use !== undefined && {
    verify_id: use,
    bill_cents: of.uses.find(one => one.id === use)?.bill_cents ?? 0,
  }),
  ...(typeof chosen === 'function' ? chosen(of) : chosen),
})
type PartProps = Required<Pick<Props, 'own'>> & { of: OrderDetail }
/** What was sold of an order, what was done with it, and the money that moved. */
const Sold = ({
  of,
  own,
  choose,
  children,
}: PartProps & { choose: Choose; children: ReactNode }) => {
  const say = useSay()
  return (
    <div>
      {!own.includes('items') && (
        <Section title={say(['商品', 'Items'])}>
          <Items of={of} />
        </Section>
      )}
      {children}
      {(of.codes.length > 0 || of.order.sub_kind === 'code') && (
        <Section title={say(['券码', 'Codes'])}>
          <Codes of={of} choose={choose} />
        </Section>
      )}
      {of.uses.length > 0 && (
        <Section title={say(['核销记录', 'Redemptions'])}>
          <Uses of={of} choose={choose} />
        </Section>
      )}
      {of.shipments.length > 0 && !own.includes('parcels') && (
        <Section title={say(['包裹', 'Parcels'])}>
          <Shipments of={of} />
        </Section>
      )}
      {of.refunds.length > 0 && (
        <Section title={say(['退款', 'Refunds'])}>
          <Refunds of={of} />
        </Section>
      )}
      {of.payments.length > 0 && (
        <Section title={say(['支付流水', 'Payments'])}>
          <Payments of={of} />
        </Section>
      )}
    </div>
  )
}
/** How an order stands, what it costs, who bought it, and what happened. */
const Standing = ({ of, own, facts }: PartProps & Pick<Props, 'facts'>) => {
  const say = useSay()
  return (
    <div>
      <Section title={say(['订单', 'Order'])}>
        <Head of={of} />
        {facts && <Facts>{facts(of)}</Facts>}
      </Section>
      <Section title={say(['金额', 'Money'])}>
        <MoneyLines of={of} />
      </Section>
      <Section title={say(['买家', 'Buyer'])}>
        <Buyer of={of} />
      </Section>
      {of.messages.length > 0 && !own.includes('messages') && (
        <Section title={say(['通知', 'Messages'])}>
          <SentMessages of={of} />
        </Section>
      )}
      <Section title={say(['订单动态', 'Order activity'])}>
        <Timeline of={of} />
      </Section>
    </div>
  )
}
/**
 * One order on the whole page: what was sold and where it is, money to the cent, and what happened.
 * Codes and a redemption are chosen here for the actions that need them.
 */
export const OrderPage = ({
  calls,
  actions,
  children,
  chosen,
  own = [],
  facts,
  revealPhone,
  revealCode,
  codeLabel = ['完整券码', 'The code'],
  queryPay,
}: Props) => {
  useReasons(offeredReasons)
  useReasons(offeredRefusals)
  const say = useSay()
  const { toast } = useWorkbench()
  const id = Number(new URLSearchParams(useSearch()).get('id'))
  const sound = Number.isInteger(id) && id > 0
  const detail = useRead(calls.detail, sound ? { id } : skipToken)
  const of = detail.currentData
  const [codes, setCodes] = useState<ReadonlySet<number>>(new Set())
  const [use, setUse] = useState<number | undefined>(undefined)
  const [revealed, setRevealed] = useState<Revealed | undefined>(undefined)
  const hide = useCallback(() => setRevealed(undefined), [])
  const rows = useMemo(() => (of ? [rowOf(of, codes, use, chosen)] : []), [of, codes, use, chosen])
  useSubject(useMemo(() => ({ rows, total: rows.length }), [rows]))
  if (!sound) return <Empty title={say(['没有指定订单', 'No order is named'])} />
  if (!of) return <Unanswered of={detail} lines={14} />
  const reveal = (label: Text, value: string, { seconds, left }: Said) =>
    setRevealed({ label, of: of.order.order_no, value, seconds, left })
  const choose = { codes, onCodes: setCodes, use, onUse: setUse }
  return (
    <div className="o-page">
      <Result
        of={revealPhone}
        by={answer => reveal(['完整手机号', 'The phone'], answer.phone, answer)}
      />
      {revealCode && (
        <Result of={revealCode} by={answer => reveal(codeLabel, answer.code, answer)} />
      )}
      {revealed && <RevealDialog of={revealed} close={hide} />}
      {queryPay && (
        <Result
          of={queryPay}
          by={answer => {
            toast(say(said[answer.said]), 'none')
            return true
          }}
        />
      )}
      <OrderHead of={of} />
      <Toolbar actions={actions} rows={rows} />
      <div className="o-body" tabIndex={0} aria-label={of.order.order_no}>
        <Sold of={of} own={own} choose={choose}>
          {children?.(of)}
        </Sold>
        <Standing of={of} own={own} facts={facts} />
      </div>
    </div>
  )
}
