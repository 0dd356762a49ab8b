import { rejectCodes, shortRule, submitTypes, type AuditQueue } from '#src/areas/audit/audit.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { comma } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Thumb } from '#src/kit/image.tsx'
import { Money, Span, When } from '#src/kit/show.tsx'
import { Flags, StateBadge, Waiting } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import type { AuditItem } from '../contract.ts'

const Flagged = ({ row }: { row: AuditItem }) => {
  const say = useSay()
  return <Flags words={row.flags.map(flag => say(shortRule(flag)))} />
}
const Submit = ({ row }: { row: AuditItem }) => {
  const say = useSay()
  return (
    <>
      {say(submitTypes[row.submit_type])}
      {row.round > 1 ? <span className="m-muted"> ·{row.round}</span> : null}
    </>
  )
}
const Decision = ({ row }: { row: AuditItem }) => {
  const say = useSay()
  if (!row.decider_name) return <span className="m-muted">—</span>
  return (
    <>
      {row.decider_name}
      {row.reason_code ? (
        <span className="m-muted">
          {' '}
          ·{' '}
          {[row.reason_code, ...row.more_codes]
            .map(code => say(rejectCodes[code as keyof typeof rejectCodes] ?? [code, code]))
            .join(say(comma))}
        </span>
      ) : null}
    </>
  )
}

const title: Column<AuditItem> = {
  key: 'title',
  title: ['商品', 'Product'],
  width: 220,
  grow: true,
  cell: row => (
    <>
      <Thumb of={row.image} />
      {row.title}
    </>
  ),
  words: row => row.title,
}
/** What it is comes first, so that it is still to be seen in the narrowest pane. */
const start: readonly Column<AuditItem>[] = [
  title,
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 92,
    priority: 1,
    cell: row => <StateBadge row={row} />,
  },
  {
    key: 'waiting',
    title: ['等待', 'Waiting'],
    width: 96,
    priority: 1,
    align: 'end',
    sort: 'sla',
    cell: row => <Waiting row={row} />,
  },
]
const price: Column<AuditItem> = {
  key: 'price',
  title: ['售价', 'Price'],
  width: 88,
  align: 'end',
  sort: 'price',
  cell: row => <Money cents={row.price_cents} />,
}
const list: Column<AuditItem> = {
  key: 'list_price',
  title: ['门市价', 'List price'],
  width: 88,
  align: 'end',
  cell: row => <Money cents={row.list_price_cents} />,
}
const settle: Column<AuditItem> = {
  key: 'settle_price',
  title: ['结算价', 'Settle'],
  width: 88,
  align: 'end',
  cell: row => <Money cents={row.settle_price_cents} />,
}
const commission: Column<AuditItem> = {
  key: 'commission',
  title: ['佣金', 'Comm.'],
  width: 64,
  align: 'end',
  cell: row => (row.commission_bp === undefined ? '—' : percent(row.commission_bp)),
}
const flags: Column<AuditItem> = {
  key: 'flags',
  title: ['机审', 'Flags'],
  width: 116,
  cell: row => <Flagged row={row} />,
}
const end: readonly Column<AuditItem>[] = [
  { key: 'submit_type', title: ['提交', 'Submit'], width: 84, cell: row => <Submit row={row} /> },
  {
    key: 'claimer',
    title: ['领取人', 'Claimed by'],
    width: 84,
    cell: row =>
      (row.claim_until ?? 0) > unixNow() ? row.claimer_name : <span className="m-muted">—</span>,
  },
  {
    key: 'store',
    title: ['门店', 'Store'],
    width: 160,
    cell: row =>
      row.store_count > 1 ? `${row.store_name} +${row.store_count - 1}` : row.store_name,
    words: row => row.store_name,
  },
  {
    key: 'mall',
    title: ['商场', 'Mall'],
    width: 120,
    cell: row => row.mall_name || '—',
    words: row => row.mall_name,
  },
  { key: 'city', title: ['城市', 'City'], width: 64, cell: row => row.city_name },
  {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    width: 160,
    cell: row => row.merchant_name,
    words: row => row.merchant_name,
  },
  { key: 'category', title: ['类目', 'Category'], width: 100, cell: row => row.category_name },
  {
    key: 'submitted',
    title: ['提交时间', 'Submitted'],
    width: 104,
    sort: 'newest',
    cell: row => <When at={row.submitted_at} />,
  },
  {
    key: 'decision',
    title: ['审核结果', 'Decision'],
    width: 150,
    cell: row => <Decision row={row} />,
    words: row => row.reason ?? '',
  },
]
const stock: Column<AuditItem> = {
  key: 'stock',
  title: ['库存', 'Stock'],
  width: 72,
  align: 'end',
  cell: row => row.stock.toLocaleString(),
}
const periods: readonly Column<AuditItem>[] = [
  {
    key: 'sale',
    title: ['售卖期', 'Sale'],
    width: 150,
    cell: row => <Span from={row.sale_start_at} to={row.sale_end_at} />,
  },
  {
    key: 'check',
    title: ['核销期', 'Redeem'],
    width: 150,
    cell: row => <Span from={row.check_start_at} to={row.check_end_at} />,
  },
]
const changes: Column<AuditItem> = {
  key: 'changed',
  title: ['变更', 'Changes'],
  width: 64,
  align: 'end',
  cell: row => row.changed.length || '—',
}

/** The columns of each queue, those that decide first. */
export const columnsOf: Record<AuditQueue, readonly Column<AuditItem>[]> = {
  bulks: [...start, flags, price, list, settle, commission, stock, ...periods, ...end],
  card: [
    ...start,
    flags,
    {
      key: 'times',
      title: ['次数', 'Times'],
      width: 64,
      align: 'end',
      cell: row => row.times_total ?? '—',
    },
    price,
    {
      key: 'each',
      title: ['每次', 'Each'],
      width: 88,
      align: 'end',
      cell: row => (
        <Money cents={row.times_total ? Math.round(row.price_cents / row.times_total) : null} />
      ),
    },
    {
      key: 'valid',
      title: ['有效天数', 'Valid days'],
      width: 76,
      align: 'end',
      cell: row => row.valid_days ?? '—',
    },
    list,
    settle,
    commission,
    stock,
    ...periods,
    ...end,
  ],
  voucher: [
    ...start,
    flags,
    {
      key: 'face',
      title: ['面值', 'Face'],
      width: 88,
      align: 'end',
      cell: row => <Money cents={row.face_cents} />,
    },
    price,
    {
      key: 'rate',
      title: ['折扣', 'Rate'],
      width: 64,
      align: 'end',
      cell: row =>
        row.face_cents ? percent(Math.round((row.price_cents / row.face_cents) * 1000) * 10) : '—',
    },
    {
      key: 'min',
      title: ['最低消费', 'Min spend'],
      width: 88,
      align: 'end',
      cell: row => (row.min_spend_cents ? yuan(row.min_spend_cents) : '—'),
    },
    {
      key: 'bill',
      title: ['每单', 'Per bill'],
      width: 56,
      align: 'end',
      cell: row => row.per_bill_limit ?? '—',
    },
    settle,
    commission,
    stock,
    ...periods,
    ...end,
  ],
  product: [
    ...start,
    flags,
    { key: 'kind', title: ['类型', 'Kind'], width: 76, cell: row => <Kind row={row} /> },
    {
      key: 'skus',
      title: ['规格', 'SKUs'],
      width: 56,
      align: 'end',
      cell: row => row.sku_count ?? '—',
    },
    {
      key: 'range',
      title: ['价格', 'Price'],
      width: 130,
      align: 'end',
      sort: 'price',
      cell: row =>
        row.price_max_cents && row.price_max_cents !== row.price_cents
          ? `${yuan(row.price_cents)} – ${yuan(row.price_max_cents)}`
          : yuan(row.price_cents),
    },
    changes,
    {
      key: 'brand',
      title: ['品牌', 'Brand'],
      width: 110,
      cell: row => row.brand_name ?? '—',
      words: row => row.brand_name ?? '',
    },
    settle,
    commission,
    stock,
    ...end,
  ],
}
const Kind = ({ row }: { row: AuditItem }) => {
  const say = useSay()
  return <>{row.product_kind === 'elist' ? say(['电商', 'Express']) : say(['门店', 'Store'])}</>
}
/** Shown from the start; the rest waits in the column chooser. */
export const firstShown: Record<AuditQueue, readonly string[]> = {
  bulks: [
    'state',
    'waiting',
    'title',
    'price',
    'list_price',
    'settle_price',
    'commission',
    'flags',
    'submit_type',
    'claimer',
    'store',
    'mall',
    'city',
    'stock',
    'sale',
    'check',
  ],
  card: [
    'state',
    'waiting',
    'title',
    'times',
    'price',
    'each',
    'valid',
    'flags',
    'submit_type',
    'claimer',
    'store',
    'city',
  ],
  voucher: [
    'state',
    'waiting',
    'title',
    'face',
    'price',
    'rate',
    'min',
    'bill',
    'flags',
    'submit_type',
    'claimer',
    'store',
    'city',
  ],
  product: [
    'state',
    'waiting',
    'title',
    'kind',
    'skus',
    'range',
    'changed',
    'flags',
    'brand',
    'submit_type',
    'claimer',
    'store',
    'category',
  ],
}
