import { sellerKinds } from '#src/areas/distribution/sellers.ts'
import { sellerBarred } from '#src/areas/payout/paidSeller.ts'
import {
  asksChannel,
  payoutChannels,
  rejectReasons,
  riskFlags,
  tellStates,
} from '#src/areas/payout/withdrawing.ts'
import type { WithdrawalCalls, WithdrawalRow } from '#src/contract/withdrawals.ts'
import { percent } from '#src/domain/money.ts'
import { aside } from '#src/domain/text.ts'
import { SmallTable } from './cells.tsx'
import { useRead } from './data.ts'
import { Thumb } from './image.tsx'
import { Inspector } from './inspector.tsx'
import { Badge, Fact, Facts, Money, Section, When } from './show.tsx'
import { Answer } from './states.tsx'
import { useSay } from './text.ts'
import { WithdrawalState } from './withdrawal-looks.tsx'

type Row = WithdrawalRow
const Payee = ({ row }: { row: Row }) => {
  const say = useSay()
  const differs = row.registered_name !== null && row.registered_name !== row.payee_name
  return (
    <Section title={say(['收款账户', 'Account'])}>
      <Facts>
        <Fact label={say(['收款户名', 'Payee'])}>
          {row.payee_name}{' '}
          {differs && <Badge tone="bad">{say(['与登记名不符', 'Not the registered name'])}</Badge>}
        </Fact>
        <Fact label={say(['登记名', 'Registered name'])}>
          {row.registered_name ?? say(['由渠道校验实名', 'The channel compares it'])}
        </Fact>
        <Fact wide label={say(['收款账号', 'Account no.'])}>
          <span className="m-num">{row.payee_no ?? '—'}</span>
        </Fact>
        <Fact label={say(['开户行', 'Bank'])}>{row.bank_name ?? '—'}</Fact>
        <Fact label={say(['渠道', 'Channel'])}>{say(payoutChannels[row.channel])}</Fact>
      </Facts>
    </Section>
  )
}
/** A film owner's invoice: of the amount asked for, or it says so. */
const Invoice = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.owner_kind !== 'film') return null
  const differs = row.invoice_cents !== null && row.invoice_cents !== row.amount_cents
  return (
    <Section title={say(['发票', 'Invoice'])}>
      {row.invoice_image ? (
        <Facts>
          <Fact label={say(['发票金额', 'Made out for'])}>
            <Money cents={row.invoice_cents} sign />{' '}
            {differs && <Badge tone="bad">{say(['与提现金额不符', 'Another amount'])}</Badge>}
          </Fact>
          <Fact label={say(['发票图片', 'Picture'])}>
            <Thumb of={row.invoice_image} />
          </Fact>
        </Facts>
      ) : (
        <p className={row.needs_invoice ? 'm-bad' : 'm-muted'}>
          {row.needs_invoice
            ? say(['公司主体，须先上传发票', 'A company: its invoice is needed first'])
            : say(['个人账户，无须发票', 'A personal account needs none'])}
        </p>
      )}
    </Section>
  )
}
const Amounts = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['金额', 'Amount'])}>
      <Facts>
        <Fact label={say(['提现金额', 'Asked for'])}>
          <Money cents={row.amount_cents} sign />
        </Fact>
        <Fact label={say(['实付', 'Paid out'])}>
          <Money cents={row.net_cents} sign />
        </Fact>
        <Fact label={say(['手续费', 'Fee'])}>
          <Money cents={row.fee_cents} />
        </Fact>
        <Fact label={say(['代扣税', 'Tax'])}>
          <Money cents={row.tax_cents} />
        </Fact>
        <Fact label={say(['申请前余额', 'Balance before'])}>
          <Money cents={row.balance_before_cents} />
        </Fact>
        <Fact label={say(['申请后余额', 'Balance after'])}>
          <Money cents={row.balance_after_cents} />
        </Fact>
      </Facts>
    </Section>
  )
}
/** Whether the applicant was told why, and what the gateway said where they were not. */
const TellFact = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Fact label={say(['短信通知', 'Told by SMS'])}>
      {say(tellStates[row.tell_state])}
      {row.tell_state !== 'sent' && row.tell_answer && ` · ${row.tell_answer}`}
    </Fact>
  )
}
const Life = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['处理', 'Handling'])}>
      <Facts>
        <Fact label={say(['提现单号', 'Number'])}>
          <span className="m-num">{row.no}</span>
        </Fact>
        <Fact label={say(['申请时间', 'Asked at'])}>
          <When at={row.applied_at} />
        </Fact>
        {row.reviewer_name && (
          <Fact label={say(['初审', 'Reviewed by'])}>
            {row.reviewer_name} <When at={row.reviewed_at} />
          </Fact>
        )}
        {row.need_second && (
          <Fact label={say(['复审', 'Second review'])}>
            {row.second_reviewer_name || say(['待另一人复审', 'Another person is needed'])}{' '}
            {row.second_reviewed_at && <When at={row.second_reviewed_at} />}
          </Fact>
        )}
        {row.payer_name && <Fact label={say(['打款人', 'Paid by'])}>{row.payer_name}</Fact>}
        {row.paid_at && (
          <Fact label={say(['打款时间', 'Paid at'])}>
            <When at={row.paid_at} />
          </Fact>
        )}
        {row.out_bill_no && (
          <Fact label={say(['打款单号', 'Payout no.'])}>
            <span className="m-num">{row.out_bill_no}</span>
          </Fact>
        )}
        {row.channel_no && (
          <Fact label={say(['渠道流水号', 'Channel no.'])}>
            <span className="m-num">{row.channel_no}</span>
          </Fact>
        )}
        {row.status === 'wait_confirm' && (
          <Fact label={say(['确认截止', 'To confirm by'])}>
            <When at={row.confirm_until_at} />
          </Fact>
        )}
        {row.channel_error && (
          <Fact label={say(['失败原因', 'Why it failed'])} wide>
            <span className="m-bad">{row.channel_error}</span>
          </Fact>
        )}
        {row.reason && (
          <Fact label={say(['说明', 'Reason'])} wide>
            {row.reason_code && `${say(rejectReasons[row.reason_code])} · `}
            {row.reason}
          </Fact>
        )}
        {row.tell_state !== 'none' && <TellFact row={row} />}
        {row.proof && (
          <Fact label={say(['打款凭证', 'Proof'])}>
            <Thumb of={row.proof} />
          </Fact>
        )}
      </Facts>
      {row.status === 'paying' && !asksChannel(row.channel) && (
        <p className="m-muted">
          {say([
            '此渠道没有回执：导出打款文件交银行，完成后登记打款结果。',
            'This channel tells nothing: export the file for the bank, then mark the result.',
          ])}
        </p>
      )}
    </Section>
  )
}
/** A seller by kind, level and team, and what speaks against paying them. */
const SellerFacts = ({ of }: { of: NonNullable<Row['seller']> }) => {
  const say = useSay()
  const barred = sellerBarred(of)
  return (
    <>
      <Fact label={say(['身份', 'Seller'])}>
        {say(sellerKinds[of.kind])}
        {of.kind === 'expert' && ` · L${of.level_no}`}
      </Fact>
      <Fact label={say(['团队', 'Team'])}>{of.group_name || '—'}</Fact>
      <Fact label={say(['欠款', 'Owed'])}>
        <Money cents={of.debt_cents} sign />
      </Fact>
      {barred && (
        <Fact label={say(['不能打款', 'Not to be paid'])} wide>
          <span className="m-bad">{say(barred)}</span>
        </Fact>
      )}
    </>
  )
}
type Sales = {
  gmv_cents?: number | undefined
  refunded_cents?: number | undefined
  own_orders: number
}
const SalesFacts = ({ of }: { of: Sales }) => {
  const say = useSay()
  const { gmv_cents: sold, refunded_cents: back } = of
  return (
    <>
      <Fact label={say(['累计退款率', 'Refund rate'])}>
        {sold && back !== undefined ? percent(Math.round((back * 10_000) / sold)) : '—'}
      </Fact>
      <Fact label={say(['30 天自购', 'Own orders, 30 days'])}>{of.own_orders}</Fact>
    </>
  )
}
const Before = ({ row, calls }: { row: Row; calls: WithdrawalCalls }) => {
  const say = useSay()
  const read = useRead(calls.beside, { id: row.id })
  return (
    <Answer of={read}>
      {({ balance_cents, orders, refunded, sales, before }) => (
        <>
          <Section title={say(['申请人', 'Owner'])}>
            <Facts>
              <Fact label={say(['当前余额', 'Balance now'])}>
                <Money cents={balance_cents} sign />
              </Fact>
              {row.seller && <SellerFacts of={row.seller} />}
              {sales ? (
                <SalesFacts of={sales} />
              ) : (
                <Fact label={say(['30 天退款率', 'Refunded, 30 days'])}>
                  {orders === 0
                    ? '—'
                    : `${percent(Math.round((refunded * 10_000) / orders))}${say(aside, { it: `${refunded} / ${orders}` })}`}
                </Fact>
              )}
            </Facts>
          </Section>
          <Section title={say(['以往提现', 'Earlier withdrawals'])}>
            {before.length === 0 ? (
              <p className="m-muted">{say(['第一次提现', 'The first one'])}</p>
            ) : (
              <SmallTable
                head={[
                  ['申请时间', 'Asked at'],
                  ['金额', 'Amount'],
                  ['收款账号', 'Account'],
                  ['状态', 'State'],
                ]}
                rows={before}
                keyOf={one => one.id}
                cells={one => [
                  <When key="at" at={one.applied_at} />,
                  <Money key="cents" cents={one.amount_cents} />,
                  <span key="no" className="m-num">
                    {one.payee_no ?? '—'}
                  </span>,
                  <WithdrawalState key="state" row={one} />,
                ]}
              />
            )}
          </Section>
        </>
      )}
    </Answer>
  )
}

/** What a cashier looks at before they decide about a withdrawal. */
export const withdrawalFile = (calls: WithdrawalCalls) =>
  function WithdrawalFile({ row }: { row: Row }) {
    const say = useSay()
    return (
      <Inspector title={row.title} aside={<WithdrawalState row={row} />}>
        {row.risk_flags.length > 0 && (
          <p>
            {row.risk_flags.map(flag => (
              <Badge key={flag} tone="warn">
                {say(riskFlags[flag])}
              </Badge>
            ))}
          </p>
        )}
        <Amounts row={row} />
        <Payee row={row} />
        <Invoice row={row} />
        <Life row={row} />
        <Before row={row} calls={calls} />
      </Inspector>
    )
  }
