import { to } from '#commands/command.ts'
import { pointsEditPage } from '#commands/pages/vip.ts'
import { shopActions, zoneActions } from '#commands/vip/pointsShop.ts'
import { zoneKinds } from '#src/areas/points/shop.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Board } from '#src/kit/board.tsx'
import { shownOf, skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { Keyed } from '#src/kit/keyed.tsx'
import { BoardLine, BoardPage } from '#src/kit/pool.tsx'
import { Badge, Section } from '#src/kit/show.tsx'
import { Answer, Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import {
  useAction,
  useAnswered,
  usePane,
  useStageSubject,
  useWorkbench,
} from '#src/kit/workbench.ts'
import { goodsEdit } from '../contract/pointsGoods.ts'
import { pointsShop as calls, type ShopGoodsRow, type ZoneRow } from '../contract/pointsShop.ts'
import { GoodsFacts, GoodsPhone, isClosed, Price, useGoodsFlags } from '../parts/goodsLooks.tsx'

const none: readonly ShopGoodsRow[] = []
const useZones = () => {
  const read = useRead(calls.zones, {})
  const [sort] = useWrite(calls.sortZones)
  const board = useBoard<ZoneRow>({
    name: 'points-zones',
    ...sourceOf(read),
    save: (order, list_version) => sort({ order, list_version }),
  })
  return { read, board }
}
const useGoods = (zone_id: number | undefined) => {
  const read = useRead(calls.goods, zone_id === undefined ? skipToken : { zone_id })
  const answer = shownOf(read)
  const [sort] = useWrite(calls.sortItems)
  const board = useBoard<ShopGoodsRow>({
    name: `points-goods:${zone_id ?? 0}`,
    ...sourceOf(read),
    rows: zone_id === undefined ? none : answer?.list,
    save: (order, list_version) => sort({ zone_id: zone_id!, order, list_version }),
  })
  return { hidden: answer?.hidden ?? 0, board }
}
const Zones = ({ of }: { of: ReturnType<typeof useZones>['board'] }) => {
  const say = useSay()
  return (
    <Column
      name="zones"
      title={say(['分区', 'Zones'])}
      aside={<span className="m-muted m-num">{of.rows?.length ?? ''}</span>}
    >
      <Board<ZoneRow>
        of={of}
        label={say(['分区', 'Zones'])}
        labelOf={row => row.name}
        saves={zoneActions.sortZones}
        dim={row => row.on_n === 0}
        flags={row => [
          ...(row.out_n > 0
            ? [
                {
                  tone: 'warn' as const,
                  text: say(['首屏 {n} 件兑完', '{n} sold out'], { n: row.out_n }),
                },
              ]
            : []),
          ...(row.on_n === 0
            ? [{ tone: 'plain' as const, text: say(['无在架商品', 'Nothing on sale']) }]
            : []),
        ]}
        row={row => (
          <div>
            <div className="m-boardline-name">{row.name}</div>
            <div className="m-boardline-meta">
              <span>{say(zoneKinds[row.kind])}</span>
              <span>
                {say(['在架', 'On sale'])}{' '}
                <b className="m-num">
                  {row.on_n}/{row.goods_n}
                </b>
              </span>
            </div>
          </div>
        )}
        empty={
          <Empty title={say(['还没有分区', 'No zones yet'])}>
            <p>
              <Keyed
                text={['按 {add} 新增第一个分区。', '{add} adds the first.']}
                by={{ add: zoneActions.addZone }}
              />
            </p>
          </Empty>
        }
      />
    </Column>
  )
}
const Goods = ({
  board: of,
  zone,
  hidden,
}: ReturnType<typeof useGoods> & { zone: ZoneRow | undefined }) => {
  const say = useSay()
  const flags = useGoodsFlags()
  return (
    <Column
      name="goods"
      title={zone ? say(['{name}的商品', 'Goods of {name}'], zone) : say(['商品', 'Goods'])}
      aside={
        hidden > 0 ? (
          <Badge tone="warn">
            {say(['另有 {n} 件在你的数据范围外', '{n} more outside your data scope'], {
              n: hidden,
            })}
          </Badge>
        ) : (
          <span className="m-muted m-num">{of.rows?.length ?? ''}</span>
        )
      }
    >
      <Board<ShopGoodsRow>
        of={of}
        label={say(['商品', 'Goods'])}
        labelOf={row => row.name}
        saves={shopActions.sortItems}
        fixed={
          hidden > 0
            ? say([
                '只有能看到全部商品的人能调整顺序',
                'Only someone who can see all goods can reorder them',
              ])
            : undefined
        }
        dim={isClosed}
        flags={flags}
        row={row => (
          <BoardLine image={row.image} name={row.name}>
            <b>
              <Price of={row} />
            </b>
            <span>
              {say(['可兑', 'Available'])} <b className="m-num">{row.stock - row.held}</b>
            </span>
            <span>
              {say(['已兑', 'Redeemed'])} <b className="m-num">{row.sold}</b>
            </span>
            <span className="m-num">#{row.sort}</span>
          </BoardLine>
        )}
        empty={
          <Empty title={say(['分区里没有商品', 'No goods here'])}>
            <p>
              <Keyed
                text={['按 {add} 添加商品。', '{add} adds goods.']}
                by={{ add: shopActions.addItem }}
              />
            </p>
          </Empty>
        }
      />
    </Column>
  )
}
/** The goods in hand: their terms, and how members find them. */
const Chosen = ({ row }: { row: ShopGoodsRow | undefined }) => {
  const say = useSay()
  const read = useRead(goodsEdit.detail, row ? { id: row.id } : skipToken)
  if (!row)
    return (
      <Empty title={say(['选中一件商品', 'Choose goods'])}>
        <p>
          {say(['这里显示它的条件、库存与手机预览。', 'Its terms, stock and preview are here.'])}
        </p>
      </Empty>
    )
  return (
    <div className="vp-beside">
      <Section title={row.name}>
        <GoodsFacts of={row} />
      </Section>
      <Answer of={read} lines={6}>
        {of => <GoodsPhone of={of} />}
      </Answer>
    </div>
  )
}

/** Zones on the left, the goods of the one in hand in the order in which members see them. */
export default function PointsShop() {
  const say = useSay()
  const { open } = useWorkbench()
  const { stage } = usePane()
  const subject = useStageSubject(stage)
  const { read, board: zones } = useZones()
  const zone = zones.rows?.find(row => row.id === zones.focused) ?? zones.rows?.[0]
  const { hidden, board: goods } = useGoods(zone?.id)
  const row = goods.rows?.find(one => one.id === goods.focused)
  useAction(zoneActions.sortZones, () => void zones.save())
  useAction(shopActions.sortItems, () => void goods.save())
  useAnswered(shopActions.addItem, ({ kind }) =>
    open(to(pointsEditPage, { zone_id: zone?.id ?? 0, kind }), 'here'),
  )
  const actions = [...Object.values(shopActions), ...Object.values(zoneActions)]
  return (
    <BoardPage
      title={say(['积分商城', 'Points shop'])}
      toolbar={<Toolbar actions={actions} rows={subject.rows} plain={zones.dirty || goods.dirty} />}
      failed={read.error && !read.data ? { error: read.error, retry: read.refetch } : undefined}
    >
      <Columns
        widths="minmax(200px, 260px) minmax(320px, 1.4fr) minmax(240px, 340px)"
        first="goods"
      >
        <Zones of={zones} />
        <Goods board={goods} hidden={hidden} zone={zone} />
        <Column name="chosen" title={say(['商品', 'Goods'])}>
          <Chosen row={row} />
        </Column>
      </Columns>
    </BoardPage>
  )
}
