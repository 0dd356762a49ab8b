import { discountActions as actions } from '#commands/vip/cardDiscount.ts'
import { switches } from '#src/areas/people/people.ts'
import { discountScopes, discountText } from '#src/areas/vipCard/discount.ts'
import { percent } from '#src/domain/money.ts'
import {
  idColumn,
  numberColumn,
  onOff,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  Words,
} from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { vipDiscounts as calls, type DiscountRow } from '../../contract/cardDiscount.ts'
import { Conflicts } from '../../parts/Conflicts.tsx'

const columns: readonly Column<DiscountRow>[] = [
  { ...textColumn('card_name', ['卡种', 'Plan'], 120), grow: true },
  wordColumn('scope', ['范围', 'Scope'], 76, discountScopes),
  {
    ...textColumn('target', ['对象', 'For'], 150),
    grow: true,
    cell: row => row.target || <span className="m-muted">—</span>,
  },
  {
    key: 'discount',
    title: ['折扣', 'Discount'],
    width: 84,
    align: 'end',
    cell: row => <Words of={discountText(row.discount_bp)} />,
  },
  stateColumn('status', ['状态', 'State'], 76, onOff),
  {
    key: 'cap',
    title: ['单笔封顶', 'Cap per order'],
    width: 96,
    align: 'end',
    priority: 2,
    cell: row =>
      row.cap_cents === 0 ? <span className="m-muted">—</span> : <Money cents={row.cap_cents} />,
  },
  {
    ...numberColumn('monthly_times', ['每月次数', 'Uses per month'], 84),
    priority: 3,
    cell: row => row.monthly_times || <span className="m-muted">—</span>,
  },
  {
    key: 'share',
    title: ['平台 / 商户', 'Platform / merchant'],
    width: 112,
    priority: 1,
    cell: row => `${percent(row.platform_share_bp)} / ${percent(row.merchant_share_bp)}`,
    words: row => `${percent(row.platform_share_bp)} / ${percent(row.merchant_share_bp)}`,
  },
  { ...timeColumn('start_at', ['开始', 'From'], 108), priority: 3 },
  timeColumn('end_at', ['结束', 'Until'], 108),
  idColumn,
]
const DiscountDetail = ({ row }: { row: DiscountRow }) => {
  const say = useSay()
  const { me } = useWorkbench()
  return (
    <Inspector
      title={`${row.card_name} · ${row.target || say(discountScopes[row.scope])}`}
      aside={
        <>
          <State of={row.status} in={onOff} />
          {row.closed && <Badge tone="warn">{say(['对象已关闭', 'Closed'])}</Badge>}
        </>
      }
    >
      <Section title={say(['折扣', 'The discount'])}>
        <Facts>
          {row.off_reason && row.status === 'off' && (
            <Fact wide label={say(['停用原因', 'Reason disabled'])}>
              {row.off_reason}
            </Fact>
          )}
          <Fact label={say(['折扣', 'Discount'])}>{say(discountText(row.discount_bp))}</Fact>
          <Fact label={say(['单笔封顶', 'Cap per order'])}>
            {row.cap_cents === 0 ? say(['不限', 'Any']) : <Money cents={row.cap_cents} sign />}
          </Fact>
          <Fact label={say(['每月次数', 'Uses per month'])}>
            {row.monthly_times || say(['不限', 'Any'])}
          </Fact>
          <Fact label={say(['平台承担', 'Platform bears'])}>{percent(row.platform_share_bp)}</Fact>
          <Fact label={say(['商户承担', 'Merchant bears'])}>{percent(row.merchant_share_bp)}</Fact>
          <Fact label={say(['商户同意书', 'Consent'])}>{row.consent_no || '—'}</Fact>
          <Fact label={say(['开始', 'From'])}>
            <When at={row.start_at} />
          </Fact>
          <Fact label={say(['结束', 'Until'])}>
            <When at={row.end_at} />
          </Fact>
        </Facts>
        <p className="m-muted">
          {say([
            '会员价尚未接入下单：这里的折扣暂不影响订单金额。',
            'Member prices are not connected to orders yet: discounts here do not change order amounts.',
          ])}
        </p>
      </Section>
      {me.can(calls.checkConflict.permit) && <Conflicts row={row} />}
    </Inspector>
  )
}
/** Prices of members: where each plan has one, who bears it, and what stands against another. */
export default function VipDiscounts() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  useAction(actions.checkConflict, rows => list.focus(rows[0]?.id))
  useResult(actions.batchAddStores, ({ added, failed: [first, ...more] }) => {
    if (first)
      toast(
        say(['已添加 {n} 家，{bad} 家未添加：{first}', '{n} added, {bad} not: {first}'], {
          n: added,
          bad: more.length + 1,
          first: `${first.name} ${first.msg}`,
        }),
        'warning',
      )
    else
      toast(
        say(['已添加 {n} 家，确认后逐条启用', '{n} added; check and enable each'], {
          n: added,
        }),
        'success',
      )
    return true
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['会员卡折扣', 'VIP card discounts'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Choice of={list} by="scope" label={say(['范围', 'Scope'])} words={discountScopes} />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={switches} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一条折扣', 'Choose a discount'])}>
        {row => <DiscountDetail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
