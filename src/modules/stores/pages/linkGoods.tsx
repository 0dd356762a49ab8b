import { Button, Dialog, DialogBody, DialogFooter, HTMLSelect } from '@blueprintjs/core'
import { useState } from 'react'
import { useSearch } from 'wouter'
import { shelfActions as actions } from '#commands/stores/linkGoods.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { shopTypes } from '#src/areas/merchant/onlineShop.ts'
import { productStates } from '#src/areas/product/product.ts'
import {
  goodsSources,
  shelfFault,
  suppliedTypes,
  type GoodsSource,
} from '#src/areas/product/shopLink.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { comma } from '#src/domain/text.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { SmallTable } from '#src/kit/cells.tsx'
import { shownOf, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Keyed } from '#src/kit/keyed.tsx'
import { BoardLine, BoardPage, Pool } from '#src/kit/pool.tsx'
import { Badge, Money } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useResult, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { linkGoods as calls, type ShelfRow } from '../contract/linkGoods.ts'
import '../parts/stores.css'

const Price = ({ of }: { of: ShelfRow }) => {
  const say = useSay()
  return of.shop_price_cents === null ? (
    <Money cents={of.price_cents} sign />
  ) : (
    <>
      {say(['店铺价', 'Here'])} <Money cents={of.shop_price_cents} sign />
      {say(['（商品价 ', ' (else '])}
      <Money cents={of.price_cents} sign />
      {say(['）', ')'])}
    </>
  )
}
/** Goods as this shop sells them: price and margin, its share, and who else sells them. */
const Line = ({ of }: { of: ShelfRow }) => {
  const say = useSay()
  return (
    <BoardLine image={of.image} name={of.title}>
      <span>
        <Price of={of} />
      </span>
      {of.margin_bp !== undefined && (
        <span className={of.margin_bp <= 0 ? 'm-error' : ''}>
          {say(['毛利 {bp}', 'Margin {bp}'], { bp: percent(of.margin_bp) })}
        </span>
      )}
      <span>
        {of.shop_stock === null
          ? say(['共用库存 {n}', 'Shared stock {n}'], { n: of.stock_left })
          : say(['本店库存 {n}', 'Stock here {n}'], { n: of.shop_stock })}
      </span>
      {of.unpaid > 0 && <span>{say(['未支付 {n} 笔', '{n} unpaid'], { n: of.unpaid })}</span>}
      <span title={of.other_names.join(say(comma))}>
        {of.other_shops === 0
          ? say(['无其他店铺', 'No other shop'])
          : say(['另有 {n} 家：{names}', 'Also in {n}: {names}'], {
              n: of.other_shops,
              names: of.other_names.join(say(comma)) + (of.other_shops > 3 ? '…' : ''),
            })}
      </span>
      {of.source === 'supply' && <span>{of.merchant_name}</span>}
    </BoardLine>
  )
}
type Flags = (of: ShelfRow) => readonly Flag[]
const useFlags = (): Flags => {
  const say = useSay()
  return of => {
    const fault = of.linked ? undefined : shelfFault(of)
    return [
      ...(of.source === 'supply'
        ? [{ tone: 'info' as const, text: say(goodsSources.supply) }]
        : []),
      ...(of.state === 'on_sale'
        ? []
        : [
            {
              tone: 'plain' as const,
              text: say(productStates[of.state]),
              ...(of.off_reason && { title: of.off_reason }),
            },
          ]),
      ...(fault
        ? [
            {
              tone: 'warn' as const,
              text: say(['不可上架', 'Cannot be added']),
              title: say(fault.text),
            },
          ]
        : []),
      ...(of.linked && of.other_shops === 0
        ? [{ tone: 'warn' as const, text: say(['唯一店铺', 'Only shop']) }]
        : []),
    ]
  }
}

type Copied = Result<typeof calls.copyShelf>
/** What was copied from another shelf, and what was left out and why. */
const CopyResult = ({ of, close }: { of: Copied; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  return (
    <Dialog isOpen onClose={close} title={say(['货架复制结果', 'The copy of a shelf'])}>
      <DialogBody>
        <p className="m-subject">
          {say(['已复制 {n} 件，跳过 {skipped} 件', '{n} copied, {skipped} left out'], {
            n: of.copied,
            skipped: of.skipped.length,
          })}
        </p>
        <div
          className="os-trial"
          tabIndex={0}
          role="region"
          aria-label={say(['跳过的商品', 'What was left out'])}
        >
          <SmallTable
            head={[
              ['商品', 'Product'],
              ['跳过原因', 'Why'],
            ]}
            rows={of.skipped}
            keyOf={row => row.id}
            cells={row => [row.title || `#${row.id}`, row.text]}
          />
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <Button autoFocus onClick={close}>
            {say(['关闭', 'Close'])}
          </Button>
        }
      />
    </Dialog>
  )
}
/** Tells what followed from an action; answers what a copy left out, until it is read. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [copied, setCopied] = useState<Copied | undefined>(undefined)
  useResult(actions.link, ({ given_back }) => {
    if (given_back === 0) return false
    toast(say(['已上架到店铺，商品恢复在售', 'On the shelf, and on sale again']), 'success')
    return true
  })
  useResult(actions.unlink, ({ taken_off }) => {
    if (taken_off === 0) return false
    toast(
      say(['已移出，商品没有其他营业店铺，已下架', 'Taken off the shelf, and off sale']),
      'success',
    )
    return true
  })
  useResult(actions.copyShelf, result => {
    if (result.skipped.length > 0) setCopied(result)
    else toast(say(['已复制 {n} 件商品', '{n} copied'], { n: result.copied }), 'success')
    return true
  })
  return { copied, close: () => setCopied(undefined) }
}

/** Goods that this shop could sell: its merchant's, and what others supply where it sells that. */
const Free = ({
  store_id,
  supplied,
  flags,
}: {
  store_id: number
  supplied: boolean
  flags: Flags
}) => {
  const say = useSay()
  const [source, setSource] = useState<GoodsSource | ''>('')
  return (
    <Pool<ShelfRow>
      name={`free:${store_id}`}
      title={say(['商品池', 'Goods pool'])}
      placeholder={say(['商品名称或编号', 'Title or number'])}
      call={calls.free}
      input={{ store_id, ...(source && { source }) }}
      bar={
        supplied && (
          <HTMLSelect
            aria-label={say(['货源', 'Whose goods'])}
            value={source}
            onChange={event => setSource(event.target.value as GoodsSource | '')}
            options={[
              { value: '', label: say(['全部货源', 'All']) },
              ...(Object.keys(goodsSources) as GoodsSource[]).map(value => ({
                value,
                label: say(goodsSources[value]),
              })),
            ]}
          />
        )
      }
      labelOf={row => row.title}
      row={row => <Line of={row} />}
      flags={flags}
      dim={row => row.state !== 'on_sale' || shelfFault(row) !== undefined}
      empty={
        <Empty title={say(['没有可选的商品', 'Nothing to choose'])}>
          <p>
            {say([
              '可售商品都已在本店货架，或没有符合搜索的商品。',
              'All that may be sold is on the shelf, or nothing matches.',
            ])}
          </p>
        </Empty>
      }
    />
  )
}

/** What one online shop sells: the pool on the left, its shelf in its order on the right. */
export default function ShelfBoard() {
  const say = useSay()
  const { run } = useWorkbench()
  const { stage, id: pane } = usePane()
  const subject = useStageSubject(stage)
  const store_id = Number(new URLSearchParams(useSearch()).get('store_id'))
  const flags = useFlags()
  const linked = useRead(calls.linked, { store_id })
  const answer = shownOf(linked)
  const [save] = useWrite(calls.sort)
  const board = useBoard<ShelfRow>({
    name: `shelf:${store_id}`,
    ...sourceOf(linked),
    save: (order, list_version) => save({ store_id, order, list_version }),
  })
  useAction(actions.sort, () => void board.save())
  useAction(actions.copyShelf, () => void run(actions.copyShelf, [], { pane, on: { store_id } }))
  const { copied, close } = useTold()
  const shop = answer?.shop
  return (
    <BoardPage
      title={shop?.name}
      aside={
        shop && (
          <>
            <Badge tone={shop.status === 'open' ? 'good' : 'warn'}>
              {say(storeStates[shop.status])}
            </Badge>
            <span className="m-muted">
              {say(shopTypes[shop.shop_type])} · {shop.merchant_name}
            </span>
          </>
        )
      }
      toolbar={<Toolbar actions={Object.values(actions)} rows={subject.rows} plain={board.dirty} />}
      failed={linked.error && !answer ? { error: linked.error, retry: linked.refetch } : undefined}
    >
      <Columns widths="minmax(280px, 1fr) minmax(320px, 1fr)" first="shelf">
        <Free
          store_id={store_id}
          supplied={shop !== undefined && suppliedTypes.includes(shop.shop_type)}
          flags={flags}
        />
        <Column
          name="board"
          title={say(['本店货架', 'Shelf'])}
          aside={<span className="m-muted m-num">{board.rows?.length ?? ''}</span>}
        >
          <Board<ShelfRow>
            of={board}
            label={say(['本店货架', 'Shelf'])}
            labelOf={row => row.title}
            row={row => <Line of={row} />}
            flags={flags}
            dim={row => row.state !== 'on_sale'}
            saves={actions.sort}
            empty={
              <Empty title={say(['货架还是空的', 'The shelf is empty'])}>
                <p>
                  <Keyed
                    text={[
                      '从左侧选择商品，按 {link} 上架。',
                      'Choose on the left; {link} puts them on the shelf.',
                    ]}
                    by={{ link: actions.link }}
                  />
                </p>
              </Empty>
            }
          />
        </Column>
      </Columns>
      {copied && <CopyResult of={copied} close={close} />}
    </BoardPage>
  )
}
