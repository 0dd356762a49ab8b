import { BanCircle, Edit, Pause, Stopwatch, Tick, Time } from '@blueprintjs/icons'
import type { Action } from '#commands/command.ts'
import { GOODS_MAX } from '#src/areas/product/goods.ts'
import { productStates, type ProductState } from '#src/areas/product/product.ts'
import type { Text } from '#src/domain/text.ts'
import type { States } from './cells.tsx'
import { usePaneState } from './memory.ts'
import { Fact, Facts, Section, When } from './show.tsx'
import { useSay } from './text.ts'
import type { ListState } from './uselist.ts'
import { useAction, useWorkbench } from './workbench.ts'

/** The states of products as every list of them shows them. */
export const productMarks: States<ProductState> = {
  draft: { text: productStates.draft, icon: Edit },
  auditing: { text: productStates.auditing, tone: 'info', icon: Stopwatch },
  on_sale: { text: productStates.on_sale, tone: 'good', icon: Tick },
  off_sale: { text: productStates.off_sale, icon: Pause },
  ended: { text: productStates.ended, icon: Time },
  forced_off: { text: productStates.forced_off, tone: 'bad', icon: BanCircle },
}
/** The tabs of such a list: all, and each state. */
export const productTabs = {
  by: 'state',
  all: [
    { key: '', title: ['全部', 'All'] as const },
    ...(Object.keys(productStates) as ProductState[]).map(key => ({
      key,
      title: productStates[key],
    })),
  ],
}

/** Why a product was taken off sale; nothing where nobody said so. */
export const OffReason = ({ of }: { of: { off_reason: string; comes_back: boolean } }) => {
  const say = useSay()
  return of.off_reason ? (
    <Fact wide label={say(['下架原因', 'Why off sale'])}>
      {of.off_reason}
      {of.comes_back && say(['（原因消除后自动恢复）', ' (it comes back by itself)'])}
    </Fact>
  ) : null
}

type Sold = {
  merchant_name: string
  store_name: string
  store_count: number
  city_name: string
  mall_name: string
  contract_end_at: number | null
}
/** Says who sells a product, and where; `store` is what its places are called. */
export const SellerFacts = ({ of, title, store }: { of: Sold; title: Text; store: Text }) => {
  const say = useSay()
  return (
    <Section title={say(title)}>
      <Facts>
        <Fact wide label={say(['商户', 'Merchant'])}>
          {of.merchant_name}
        </Fact>
        <Fact wide label={say(store)}>
          {of.store_name || '—'}
          {of.store_count > 1 && say([' 等 {n} 家', ' and others, {n}'], { n: of.store_count })}
        </Fact>
        <Fact label={say(['城市', 'City'])}>{of.city_name}</Fact>
        <Fact label={say(['商场', 'Mall'])}>{of.mall_name || '—'}</Fact>
        <Fact label={say(['合同到期', 'Contract until'])}>
          <When at={of.contract_end_at} />
        </Fact>
      </Facts>
    </Section>
  )
}

/**
 * The rows of a list that are edited in a grid: an action puts in what is selected, or else all of
 * the page. Answers their ids, none while the list stands, and what closes the grid.
 */
export const useGridOf = <Row extends { id: number }>(
  list: ListState<Row>,
  opens: Action,
): [ids: readonly number[], close: () => void] => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [ids, setIds] = usePaneState<readonly number[]>('grid', [])
  useAction(opens, () => {
    const rows = list.selected.size > 0 ? [...list.selected.values()] : list.rows
    if (rows.length === 0)
      toast(say(['没有可编辑的商品，请放宽筛选', 'Nothing to edit: widen the filters']), 'warning')
    setIds(rows.slice(0, GOODS_MAX).map(row => row.id))
  })
  return [ids, () => setIds([])]
}
