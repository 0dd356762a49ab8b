import { settleLineActions as actions } from '#commands/settle/detail.ts'
import { feeBearers, lineStates } from '#src/areas/settle/settle.ts'
import { colon } from '#src/domain/text.ts'
import { moneyColumn, State, stateColumn, textColumn, timeColumn } from '#src/kit/cells.tsx'
import { Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { settleLines as calls, type LineRow } from '../contract/detail.ts'
import { lineLooks } from './settleLooks.ts'

/** Until when its money waits, or who keeps it waiting. */
const Until = ({ row }: { row: LineRow }) => {
  const say = useSay()
  return row.held ? (
    <Badge tone="warn" title={row.hold_reason}>
      {say(['人工冻结', 'Held'])}
    </Badge>
  ) : (
    <When at={row.freeze_until_at} />
  )
}
const columns: readonly Column<LineRow>[] = [
  {
    key: 'order_no',
    title: ['订单', 'Order'],
    width: 176,
    cell: row => (
      <span className="m-num">
        {row.order_no}-{row.unit_no}
      </span>
    ),
    words: row => `${row.order_no}-${row.unit_no}`,
  },
  { ...textColumn('title', ['商品', 'What'], 170), grow: true },
  stateColumn('status', ['状态', 'State'], 92, lineLooks),
  { ...moneyColumn('price_cents', ['售价', 'Price'], 92), priority: 2 },
  { ...moneyColumn('merchant_cents', ['商户所得', 'To the merchant'], 96), priority: 1 },
  {
    key: 'until',
    title: ['冻结至', 'On hold until'],
    width: 110,
    cell: row => <Until row={row} />,
    priority: 1,
  },
  { ...textColumn('store_name', ['门店', 'Store'], 150), priority: 3 },
  { ...moneyColumn('commission_cents', ['平台佣金', 'Commission'], 92), priority: 3 },
  { ...moneyColumn('gone_merchant_cents', ['退款扣减', 'Refunds'], 92), priority: 3 },
  { ...textColumn('batch_no', ['批次', 'Batch'], 170), priority: 4 },
  { ...moneyColumn('subsidy_cents', ['补贴', 'Subsidy'], 88), optional: true },
  { ...moneyColumn('merchant_discount_cents', ['商户优惠', 'Discount'], 92), optional: true },
  { ...moneyColumn('fee_cents', ['微信手续费', 'WeChat fee'], 96), optional: true },
  { ...textColumn('merchant_name', ['商户', 'Merchant'], 150), optional: true },
  { ...timeColumn('paid_at', ['支付时间', 'Paid'], 104), optional: true },
  { ...timeColumn('settled_at', ['结算时间', 'Settled'], 104), optional: true },
]
const LineDetail = ({ row }: { row: LineRow }) => {
  const say = useSay()
  return (
    <Inspector
      title={`${row.order_no}-${row.unit_no}`}
      aside={<State of={row.status} in={lineLooks} />}
    >
      <Section title={say(['售出', 'Sold'])}>
        <Facts>
          <Fact wide label={say(['商品', 'What'])}>
            {row.title}
          </Fact>
          <Fact label={say(['门店', 'Store'])}>{row.store_name}</Fact>
          <Fact label={say(['商户', 'Merchant'])}>{row.merchant_name}</Fact>
          <Fact label={say(['支付', 'Paid'])}>
            <When at={row.paid_at} />
          </Fact>
          <Fact label={say(['核销/收货', 'Redeemed or received'])}>
            <When at={row.verified_at} />
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['价格拆分', 'How its price is split'])}>
        <Facts>
          <Fact label={say(['售价', 'Price'])}>
            <Money cents={row.price_cents} sign />
          </Fact>
          <Fact label={say(['其中补贴', 'Incl. subsidy'])}>
            <Money cents={row.subsidy_cents} sign />
          </Fact>
          <Fact label={say(['商户优惠', 'Merchant discount'])}>
            <Money cents={row.merchant_discount_cents} sign />
          </Fact>
          <Fact label={say(['平台佣金', 'Commission'])}>
            <Money cents={row.commission_cents} sign />
          </Fact>
          <Fact label={say(['微信手续费', 'WeChat fee'])}>
            <Money cents={row.fee_cents} sign />{' '}
            <span className="m-muted">{say(feeBearers[row.fee_bearer])}</span>
          </Fact>
          <Fact label={say(['商户所得', 'To the merchant'])}>
            <Money cents={row.merchant_cents} sign />
          </Fact>
          <Fact label={say(['退给用户', 'Refunded'])}>
            <Money cents={row.refunded_user_cents} sign />
          </Fact>
          <Fact label={say(['退款扣减', 'Taken off the merchant'])}>
            <Money cents={row.gone_merchant_cents} sign />
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['结算', 'Settlement'])}>
        <Facts>
          <Fact label={say(['冻结至', 'On hold until'])}>
            <When at={row.freeze_until_at} />
          </Fact>
          <Fact label={say(['批次', 'Batch'])}>{row.batch_no || '—'}</Fact>
          {row.settled_at !== null && (
            <Fact label={say(['结算时间', 'Settled'])}>
              <When at={row.settled_at} />
            </Fact>
          )}
          {row.held && (
            <Fact wide label={say(['人工冻结', 'Held'])}>
              {row.held_by}
              {say(colon)}
              {row.hold_reason}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}

/** One row for each unit sold: how its price is split, and how far its money is. */
export const Lines = () => {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, {
    ...lineStates,
    freezing: lineLooks.freezing.text,
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['结算明细', 'Settlement lines'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={tabs}
        filters={
          <>
            <Keyword of={list} by="order_no" placeholder={say(['完整订单号', 'Order number'])} />
            <Toggle of={list} by="held" label={say(['人工冻结', 'Held'])} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一条明细', 'Choose a line'])}>
        {row => <LineDetail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
