import { useSearch } from 'wouter'
import { storeGoodsActions as actions } from '#commands/shop/storeGoods.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { offerKinds, productStates } from '#src/areas/product/product.ts'
import { NEAR_M } from '#src/areas/product/storeLink.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { shownOf, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { Keyed } from '#src/kit/keyed.tsx'
import { BoardLine, BoardPage, Pool } from '#src/kit/pool.tsx'
import { Badge, Money } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useResult, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { linkGoods as calls, type StoreGoods } from '../../contract/storeGoods.ts'

const distance = (m: number): Text =>
  m < 1000
    ? [`${m} 米`, `${m} m`]
    : [`${(m / 1000).toFixed(1)} 公里`, `${(m / 1000).toFixed(1)} km`]
/** A product as it is sold, and who counts on this store for it. */
const Line = ({ of }: { of: StoreGoods }) => {
  const say = useSay()
  return (
    <BoardLine image={of.image} name={of.title}>
      <span>{say(offerKinds[of.kind])}</span>
      <span>
        <Money cents={of.price_cents} sign />
      </span>
      <span>
        {of.store_stock === null
          ? say(['共用库存 {n}', 'Shared stock: {n}'], { n: of.stock_left })
          : say(['本店库存 {n}', 'Stock here: {n}'], { n: of.store_stock })}
      </span>
      {of.unused_codes > 0 && (
        <span>{say(['未使用券码 {n}', '{n} codes unused'], { n: of.unused_codes })}</span>
      )}
      <span>
        {of.nearest_m === null
          ? say(['其他门店 {n}', 'Other stores: {n}'], { n: of.other_stores })
          : say(['其他门店 {n}，最近 {far}', 'Other stores: {n}, nearest {far}'], {
              n: of.other_stores,
              far: say(distance(of.nearest_m)),
            })}
      </span>
    </BoardLine>
  )
}
type Flags = (of: StoreGoods) => readonly Flag[]
const useFlags = (): Flags => {
  const say = useSay()
  return of => [
    ...(of.state === 'on_sale'
      ? []
      : [
          {
            tone: 'plain' as const,
            text: say(productStates[of.state]),
            ...(of.off_reason && { title: of.off_reason }),
          },
        ]),
    ...(of.linked && of.other_stores === 0
      ? [{ tone: 'warn' as const, text: say(['唯一门店', 'Only store']) }]
      : []),
    ...(of.linked &&
    of.unused_codes > 0 &&
    !of.refundable &&
    (of.nearest_m === null || of.nearest_m > NEAR_M)
      ? [{ tone: 'bad' as const, text: say(['券码须在本店用', 'Codes need this store']) }]
      : []),
    ...(of.unavailable_dates.length > 0
      ? [
          {
            tone: 'info' as const,
            text: say(['{n} 天不可用', '{n} days off'], { n: of.unavailable_dates.length }),
            title: of.unavailable_dates.join(say(comma)),
          },
        ]
      : []),
  ]
}
/** Tells how many products followed a link. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.link, ({ given_back }) => {
    if (given_back === 0) return false
    toast(say(['已关联，商品恢复在售', 'Linked, and on sale again']), 'success')
    return true
  })
  useResult(actions.unlink, ({ taken_off }) => {
    if (taken_off === 0) return false
    toast(
      say(['已取消关联，商品没有其他营业门店，已下架', 'Unlinked, and off sale: no store is open']),
      'success',
    )
    return true
  })
  useResult(actions.copyToStore, ({ copied }) => {
    toast(say(['已复制 {n} 件商品', '{n} products copied'], { n: copied }), 'success')
    return true
  })
}

/** What the merchant sells at stores, and not at this one. */
const Free = ({ store_id, flags }: { store_id: number; flags: Flags }) => {
  const say = useSay()
  return (
    <Pool<StoreGoods>
      name={`free:${store_id}`}
      title={say(['可关联商品', 'Linkable products'])}
      placeholder={say(['商品名称或编号', 'Title or number'])}
      call={calls.free}
      input={{ store_id }}
      labelOf={row => row.title}
      row={row => <Line of={row} />}
      flags={flags}
      dim={row => row.state !== 'on_sale'}
      empty={
        <Empty title={say(['没有可关联的商品', 'No products to link'])}>
          <p>
            {say([
              '该商户的到店商品都已关联本店，或没有符合搜索的商品。',
              'All of the merchant’s in-store products are linked, or none match the search.',
            ])}
          </p>
        </Empty>
      }
    />
  )
}

/**
 * What can be used at one store: to be linked on the left, linked and in their order on the right.
 */
export default function StoreGoodsBoard() {
  const say = useSay()
  const { run } = useWorkbench()
  const { stage, id: pane } = usePane()
  const subject = useStageSubject(stage)
  const store_id = Number(new URLSearchParams(useSearch()).get('store_id'))
  const flags = useFlags()
  const linked = useRead(calls.linked, { store_id })
  const answer = shownOf(linked)
  const [save] = useWrite(calls.sort)
  const board = useBoard<StoreGoods>({
    name: `storeGoods:${store_id}`,
    ...sourceOf(linked),
    save: (order, list_version) => save({ store_id, order, list_version }),
  })
  useAction(actions.sort, () => void board.save())
  useAction(
    actions.copyToStore,
    () => void run(actions.copyToStore, [], { pane, on: { store_id } }),
  )
  useTold()
  const store = answer?.store
  return (
    <BoardPage
      title={store?.name}
      aside={
        store && (
          <>
            <Badge tone={store.status === 'open' ? 'good' : 'warn'}>
              {say(storeStates[store.status])}
            </Badge>
            <span className="m-muted">{store.merchant_name}</span>
          </>
        )
      }
      toolbar={<Toolbar actions={Object.values(actions)} rows={subject.rows} plain={board.dirty} />}
      failed={linked.error && !answer ? { error: linked.error, retry: linked.refetch } : undefined}
    >
      <Columns widths="minmax(280px, 1fr) minmax(320px, 1fr)" first="shelf">
        <Free store_id={store_id} flags={flags} />
        <Column
          name="board"
          title={say(['本店适用商品', 'Redeemable at this store'])}
          aside={<span className="m-muted m-num">{board.rows?.length ?? ''}</span>}
        >
          <Board<StoreGoods>
            of={board}
            label={say(['本店适用商品', 'Redeemable at this store'])}
            labelOf={row => row.title}
            row={row => <Line of={row} />}
            flags={flags}
            dim={row => row.state !== 'on_sale'}
            saves={actions.sort}
            empty={
              <Empty title={say(['还没有适用商品', 'No products apply here yet'])}>
                <p>
                  <Keyed
                    text={[
                      '从左侧选择商品，按 {link} 关联。',
                      'Choose products on the left; {link} links them.',
                    ]}
                    by={{ link: actions.link }}
                  />
                </p>
              </Empty>
            }
          />
        </Column>
      </Columns>
    </BoardPage>
  )
}
