import { useState } from 'react'
import { shippedActions as actions } from '#commands/stores/goods.ts'
import { auditStates } from '#src/areas/audit/audit.ts'
import { goodsLocks, LOW_STOCK, priceBands, type PriceBand } from '#src/areas/product/shipped.ts'
import { percent } from '#src/domain/money.ts'
import { Among } from '#src/kit/among.tsx'
import { numberColumn, SmallTable, State, stateColumn, textColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { FileImport } from '#src/kit/file-import.tsx'
import { BranchChoice, Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import { OffReason, productMarks, productTabs, SellerFacts, useGridOf } from '#src/kit/goods.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Portrait, Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, quantity, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { goods as calls, type ShippedRow } from '../contract/goods.ts'
import { ShippedGrid } from '../parts/goodsGrid.tsx'
import { PriceTrial, type Trial } from '../parts/priceTrial.tsx'
import '../parts/stores.css'

/** A share of refunds from which on it is told as bad. */
const BACK_BAD_BP = 1500
const Refunds = ({ bp }: { bp: number | null }) =>
  bp === null ? '—' : <span className={bp >= BACK_BAD_BP ? 'm-error' : ''}>{percent(bp)}</span>
/** From the cheapest variant to the dearest. */
const Price = ({ row }: { row: ShippedRow }) => {
  const most = Math.max(row.price_cents, ...row.skus.map(sku => sku.price_cents))
  return (
    <>
      <Money cents={row.price_cents} />
      {most > row.price_cents && (
        <>
          –<Money cents={most} />
        </>
      )}
    </>
  )
}
const Stock = ({ row }: { row: ShippedRow }) => {
  const say = useSay()
  if (!row.is_low) return quantity(row.stock_left)
  return (
    <Badge tone="warn" title={say(['有规格将售罄', 'A variant is nearly sold out'])}>
      {row.is_stocked ? quantity(row.stock_left) : say(['售罄', 'Sold out'])}
    </Badge>
  )
}
const Audit = ({ row }: { row: ShippedRow }) => {
  const say = useSay()
  if (row.audit_state !== null)
    return <Badge tone="info">{say(auditStates[row.audit_state])}</Badge>
  return say(row.live_version > 0 ? ['已通过', 'Passed'] : ['未通过', 'Not passed'])
}
/** What a distributor earns: null for nobody, absent for whom it is not shown. */
const Distribution = ({ bp }: { bp: ShippedRow['distribution_bp'] }) => {
  const say = useSay()
  if (typeof bp === 'number') return `${say(['开', 'On'])} ${percent(bp)}`
  return bp === null ? say(['关', 'Off']) : '—'
}
const columns: readonly Column<ShippedRow>[] = [
  {
    key: 'title',
    title: ['商品', 'Product'],
    width: 230,
    grow: true,
    cell: row => (
      <>
        <Thumb of={row.image} /> {row.title}
      </>
    ),
    words: row => row.title,
  },
  stateColumn('state', ['状态', 'State'], 92, productMarks),
  {
    key: 'price',
    title: ['规格价', 'Prices'],
    width: 128,
    priority: 1,
    align: 'end',
    cell: row => <Price row={row} />,
  },
  {
    key: 'stock',
    title: ['可售', 'Stock'],
    width: 68,
    align: 'end',
    cell: row => <Stock row={row} />,
  },
  numberColumn('sold_30d', ['30 天销量', 'Sold 30 d'], 80),
  {
    key: 'refund_bp',
    title: ['30 天退款率', 'Refunded 30 d'],
    width: 92,
    align: 'end',
    cell: row => <Refunds bp={row.refund_bp} />,
  },
  {
    key: 'audit',
    title: ['审核', 'Audit'],
    width: 76,
    cell: row => <Audit row={row} />,
  },
  {
    key: 'distribution',
    title: ['分销', 'Distributed'],
    width: 76,
    cell: row => <Distribution bp={row.distribution_bp} />,
  },
  textColumn('store_name', ['店铺', 'Shop'], 150),
  textColumn('category_name', ['分类', 'Category'], 96),
  { ...numberColumn('sort', ['排序', 'Order'], 60), optional: true },
  { ...textColumn('merchant_name', ['商户', 'Merchant'], 150), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
]

const Variants = ({ row }: { row: ShippedRow }) => {
  const say = useSay()
  return (
    <Section title={say(['规格', 'Variants'])}>
      {row.skus.length === 0 ? (
        <p className="m-muted">{say(['没有规格，按商品本身的价格与库存售卖', 'No variants'])}</p>
      ) : (
        <SmallTable
          head={[
            ['规格', 'Variant'],
            ['售价', 'Price'],
            ['可售', 'Stock'],
            ['未付占用', 'Held'],
            ['已售', 'Sold'],
          ]}
          rows={row.skus}
          keyOf={sku => sku.id}
          cells={sku => [
            sku.name,
            <Money key="price" cents={sku.price_cents} />,
            sku.stock_left <= LOW_STOCK ? (
              <Badge key="left" tone="warn">
                {sku.stock_left}
              </Badge>
            ) : (
              sku.stock_left
            ),
            sku.held,
            sku.sold,
          ]}
        />
      )}
    </Section>
  )
}
const ShippedDetail = ({ row }: { row: ShippedRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.title} aside={<State of={row.state} in={productMarks} />}>
      <Section title={say(['商品', 'Product'])}>
        <Portrait of={row.image} label={row.title} />
        <Facts>
          <OffReason of={row} />
          {row.lock !== null && (
            <Fact wide label={say(['锁定', 'Locked'])}>
              <Badge tone="warn">{say(goodsLocks[row.lock])}</Badge>
            </Fact>
          )}
          {row.audit_state !== null && (
            <Fact wide label={say(['待审售价', 'Price in audit'])}>
              {say(auditStates[row.audit_state])} <Money cents={row.audit_price_cents} sign />
            </Fact>
          )}
          <Fact label={say(['划线价', 'List price'])}>
            <Money cents={row.list_price_cents} sign />
          </Fact>
          <Fact label={say(['结算价', 'Settle price'])}>
            <Money cents={row.settle_price_cents} sign />
          </Fact>
          <Fact label={say(['30 天销量', 'Sold 30 d'])}>{row.sold_30d}</Fact>
          <Fact label={say(['30 天退款率', 'Refunded 30 d'])}>
            <Refunds bp={row.refund_bp} />
          </Fact>
          <Fact label={say(['每人限购', 'Limit per buyer'])}>
            {row.limit_per_member ?? say(['不限', 'No limit'])}
          </Fact>
          <Fact label={say(['分销', 'Distributed'])}>
            <Distribution bp={row.distribution_bp} />
          </Fact>
          <Fact label={say(['分类', 'Category'])}>{row.category_name || '—'}</Fact>
          <Fact label={say(['排序', 'Order'])}>{row.sort}</Fact>
          <Fact wide label={say(['停售', 'Sale until'])}>
            <When at={row.sale_end_at} />
          </Fact>
        </Facts>
      </Section>
      <Variants row={row} />
      <SellerFacts of={row} title={['商户与店铺', 'Merchant and shops']} store={['店铺', 'Shop']} />
    </Inspector>
  )
}

const ShippedFilters = ({ of }: { of: Parameters<typeof Keyword>[0]['of'] }) => {
  const say = useSay()
  const categories = useRead(calls.categories, {}).data?.list ?? []
  return (
    <>
      <Keyword of={of} placeholder={say(['商品名称、编号', 'Title or number'])} />
      <CityFilter of={of} />
      <Among
        of={of}
        by="store_id"
        label={say(['店铺', 'Shop'])}
        find={calls.shops}
        labelOf={one => one.name}
      />
      <BranchChoice of={of} by="category_id" label={say(['分类', 'Category'])} nodes={categories} />
      <Choice
        of={of}
        by="price"
        label={say(['价格', 'Price'])}
        options={(Object.keys(priceBands) as PriceBand[]).map(value => ({
          value,
          label: say(priceBands[value].text),
        }))}
      />
      <Toggle of={of} by="low_stock" label={say(['库存预警', 'Low stock'])} />
    </>
  )
}

/** Goods that online shops ship, on a list, or the variants of some of them in a grid. */
export default function ShippedGoods() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const [grid, closeGrid] = useGridOf(list, actions.openGrid)
  const [trials, setTrials] = useState<readonly Trial[]>([])
  useResult(actions.batchEditPrice, trial => {
    setTrials(before => [...before, trial])
    return true
  })
  useResult(actions.editPrice, ({ in_audit }) => {
    if (in_audit)
      toast(
        say([
          '已提交，须另一人审核；通过前按原价售卖',
          'Sent: another person decides it, and the old price sells until then',
        ]),
        'warning',
      )
    return in_audit
  })
  const [importing, setImporting] = useState(false)
  useAction(actions.import, () => setImporting(true))
  useExport(actions.export, calls.export, { list })
  if (grid.length > 0) return <ShippedGrid ids={grid} close={closeGrid} />
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['线上店铺商品', 'Online shop goods'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={productTabs}
          filters={<ShippedFilters of={list} />}
        />
        <Chosen of={list} none={say(['选择一件商品', 'Choose goods'])}>
          {row => <ShippedDetail row={row} />}
        </Chosen>
      </ListDetail>
      {importing && (
        <FileImport
          action={actions.import}
          calls={calls}
          hint={[
            '按商品编号与规格编码修改价格、库存、限购与排序；降价过半或低于成本的价格须另一人审核。',
            'Changes prices, stock, limits and order by product and SKU: a price cut by more than half, or below the cost, waits for another person.',
          ]}
          reasoned
          close={() => setImporting(false)}
        />
      )}
      {trials.length > 0 && <PriceTrial trials={trials} close={() => setTrials([])} />}
    </>
  )
}
