import { pendingText, settleMerchantActions as actions } from '#commands/settle/terms.ts'
import { merchantStates, settleCycles } from '#src/areas/merchant/merchant.ts'
import { feeBearers } from '#src/areas/settle/settle.ts'
import { percent } from '#src/domain/money.ts'
import { clause } from '#src/domain/text.ts'
import { moneyColumn, textColumn, wordColumn } from '#src/kit/cells.tsx'
import { Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { settleMerchants as calls, type SettleMerchantRow } from '../contract/detail.ts'

const Rate = ({ bp }: { bp: number | null | undefined }) => {
  const say = useSay()
  if (bp === undefined) return <Money cents={undefined} />
  return bp === null ? (
    <span className="m-muted">{say(['按商品约定', 'As products agreed'])}</span>
  ) : (
    percent(bp)
  )
}
/** What keeps money from going on its way: a freeze, or a change that waits for its check. */
const Waits = ({ row }: { row: SettleMerchantRow }) => {
  const say = useSay()
  if (row.merchant_status === 'frozen')
    return <Badge tone="bad">{say(['风控冻结', 'Frozen by risk'])}</Badge>
  if (row.pending?.bank)
    return <Badge tone="warn">{say(['换户待复核，暂停打款', 'New account: no payouts'])}</Badge>
  if (row.pending) return <Badge tone="warn">{say(['变更待复核', 'Change to check'])}</Badge>
  return <span className="m-muted">{say(merchantStates[row.merchant_status])}</span>
}
const columns: readonly Column<SettleMerchantRow>[] = [
  { ...textColumn('name', ['商户', 'Merchant'], 220), grow: true },
  {
    key: 'commission_bp',
    title: ['佣金费率', 'Rate'],
    width: 110,
    cell: row => <Rate bp={row.commission_bp} />,
  },
  {
    key: 'freeze_days',
    title: ['冻结', 'On hold'],
    width: 72,
    cell: row => `T+${row.freeze_days}`,
    priority: 1,
  },
  { ...wordColumn('batch_cycle', ['周期', 'Cycle'], 72, settleCycles), priority: 1 },
  { key: 'waits', title: ['状态', 'State'], width: 176, cell: row => <Waits row={row} /> },
  { ...wordColumn('fee_bearer', ['手续费', 'Fee'], 96, feeBearers), priority: 3 },
  {
    key: 'bank_no',
    title: ['收款账户', 'Account'],
    width: 170,
    cell: row => row.bank_no || <span className="m-muted">—</span>,
    words: row => row.bank_no ?? '',
    priority: 2,
  },
  { ...moneyColumn('reserve_cents', ['留存', 'Reserve'], 92), priority: 3 },
  { ...moneyColumn('min_withdraw_cents', ['最低提现', 'Least'], 92), priority: 4 },
]
const Pending = ({ row }: { row: SettleMerchantRow }) => {
  const say = useSay()
  if (!row.pending) return null
  return (
    <Section title={say(['待复核变更', 'Change to check'])}>
      <Facts>
        <Fact label={say(['提交人', 'Asked by'])}>
          {row.pending_name} <When at={row.pending_at} />
        </Fact>
        <Fact wide label={say(['变更内容', 'What changes'])}>
          {pendingText(row.pending)
            .map(one => say(one))
            .join(say(clause))}
        </Fact>
      </Facts>
    </Section>
  )
}
const TermsDetail = ({ row }: { row: SettleMerchantRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<Waits row={row} />}>
      <Pending row={row} />
      <Section title={say(['结算条件', 'Terms'])}>
        <Facts>
          <Fact label={say(['佣金费率', 'Rate'])}>
            <Rate bp={row.commission_bp} />
          </Fact>
          {row.rate_from_at !== null && (
            <Fact label={say(['新费率', 'New rate'])}>
              <Rate bp={row.next_commission_bp} /> <When at={row.rate_from_at} />
            </Fact>
          )}
          <Fact label={say(['冻结天数', 'On hold'])}>T+{row.freeze_days}</Fact>
          <Fact label={say(['结算周期', 'Cycle'])}>{say(settleCycles[row.batch_cycle])}</Fact>
          <Fact label={say(['微信手续费', 'WeChat fee'])}>{say(feeBearers[row.fee_bearer])}</Fact>
          <Fact label={say(['留存金额', 'Reserve'])}>
            <Money cents={row.reserve_cents} sign />
          </Fact>
          <Fact label={say(['最低提现', 'Min. withdrawal'])}>
            <Money cents={row.min_withdraw_cents} sign />
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['微信分账', 'Profit sharing'])}>
        <Facts>
          <Fact label={say(['结算方式', 'Paid by'])}>
            {say(row.profit_sharing ? ['微信分账', 'Profit sharing'] : ['按批次结算', 'Batches'])}
          </Fact>
          <Fact label={say(['特约商户号', 'WeChat Pay merchant no.'])}>{row.sub_mchid || '—'}</Fact>
        </Facts>
      </Section>
      <Section title={say(['收款账户', 'Account'])}>
        <Facts>
          <Fact label={say(['账户名', 'Holder'])}>{row.bank_holder || '—'}</Fact>
          <Fact label={say(['开户行', 'Bank'])}>{row.bank_name || '—'}</Fact>
          <Fact label={say(['账号', 'Account'])}>{row.bank_no || '—'}</Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}

/** On what terms each merchant is settled, and what waits for a second person. */
export const Terms = () => {
  const say = useSay()
  const list = useList(calls.lst)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['结算主体', 'Settlement terms'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Keyword of={list} placeholder={say(['商户名称', 'Merchant'])} />
            <Toggle of={list} by="pending" label={say(['变更待复核', 'Change to check'])} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个结算主体', 'Choose a merchant'])}>
        {row => <TermsDetail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
