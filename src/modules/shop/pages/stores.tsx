import { Confirm, Edit, Pause, Star, Stopwatch, Tick } from '@blueprintjs/icons'
import { useState } from 'react'
import { useDispatch } from 'react-redux'
import { storeActions as actions } from '#commands/shop/store.ts'
import { auditStates } from '#src/areas/audit/audit.ts'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { merchantStates } from '#src/areas/merchant/merchant.ts'
import { storeProblems } from '#src/areas/merchant/store.ts'
import { getMpImg } from '#src/contract/link.ts'
import { numberColumn, State, stateColumn, textColumn, type States } from '#src/kit/cells.tsx'
import { useCounted } from '#src/kit/counted.ts'
import { dispatchRead, skipToken, useRead } from '#src/kit/data.ts'
import { saveAs } from '#src/kit/download.ts'
import { useExport } from '#src/kit/exporting.ts'
import { FileImport } from '#src/kit/file-import.tsx'
import { BranchChoice, Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Portrait, Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { stores as calls, type StoreRow } from '../contract/stores.ts'
import '../parts/shop.css'

const states: States<StoreState> = {
  draft: { text: storeStates.draft, icon: Edit },
  auditing: { text: storeStates.auditing, tone: 'info', icon: Stopwatch },
  open: { text: storeStates.open, tone: 'good', icon: Tick },
  resting: { text: storeStates.resting, tone: 'warn', icon: Pause },
  closed: { text: storeStates.closed, icon: Confirm },
}

const Place = ({ row }: { row: StoreRow }) => {
  const say = useSay()
  return row.mid === 0 ? (
    <span className="m-muted">{say(['商场外', 'Outside malls'])}</span>
  ) : (
    row.mall_name
  )
}
const Problems = ({ row }: { row: StoreRow }) => {
  const say = useSay()
  if (row.problems.length === 0) return '—'
  return (
    <span className="sp-missing">
      {row.problems.map(key => (
        <Badge key={key} tone="warn">
          {say(storeProblems[key])}
        </Badge>
      ))}
    </span>
  )
}
const marks: States<'recommended'> = {
  recommended: { text: ['推荐', 'Recommended'], tone: 'info', icon: Star },
}
const columns: readonly Column<StoreRow>[] = [
  {
    key: 'name',
    title: ['门店', 'Store'],
    width: 190,
    grow: true,
    cell: row => (
      <>
        <Thumb of={row.logo} /> {row.name}{' '}
        {row.is_recommend && <State of="recommended" in={marks} />}
      </>
    ),
    words: row => row.name,
  },
  stateColumn('status', ['状态', 'State'], 84, states),
  {
    key: 'mall_name',
    title: ['商场', 'Mall'],
    width: 120,
    grow: true,
    cell: row => <Place row={row} />,
  },
  {
    key: 'floor',
    title: ['楼层门牌', 'Floor, door'],
    width: 88,
    cell: row => [row.floor_name, row.door_no].filter(Boolean).join(' ') || '—',
  },
  textColumn('category_name', ['分类', 'Category'], 88),
  textColumn('brand_name', ['品牌', 'Brand'], 88),
  textColumn('merchant_name', ['商户', 'Merchant'], 150),
  textColumn('bd_name', ['BD', 'BD'], 64),
  {
    key: 'on_sale_count',
    title: ['在售', 'On sale'],
    width: 56,
    align: 'end',
    cell: row => row.on_sale_count,
  },
  {
    key: 'gmv',
    title: ['30 天成交', '30-day GMV'],
    width: 100,
    align: 'end',
    cell: row => <Money cents={row.gmv_30d_cents} />,
  },
  numberColumn('verified_30d', ['30 天核销', '30-day redeemed'], 80),
  {
    key: 'score',
    title: ['评分', 'Score'],
    width: 52,
    align: 'end',
    cell: row => (row.score_x10 / 10).toFixed(1),
  },
  {
    key: 'problems',
    title: ['资料问题', 'Problems'],
    width: 150,
    cell: row => <Problems row={row} />,
    optional: true,
  },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
  { ...textColumn('store_no', ['门店号', 'Number'], 90), optional: true },
]

/** Shows what a rest or a closing touches. */
const Effects = ({ row }: { row: StoreRow }) => {
  const say = useSay()
  const effects = useRead(calls.effects, { id: row.id })
  return (
    <Section title={say(['在售与承诺', 'On sale and committed'])}>
      <Answer of={effects}>
        {of => (
          <Facts>
            <Fact label={say(['在售商品', 'On sale'])}>{row.on_sale_count}</Fact>
            <Fact label={say(['仅本店在售', 'Sold only here'])}>{of.goes_off}</Fact>
            <Fact label={say(['仅本店券码', 'Codes for this store only'])}>{of.codes_here}</Fact>
            <Fact label={say(['恢复后在售', 'On sale after reopening'])}>{of.comes_back}</Fact>
            <Fact label={say(['30 天成交', '30-day GMV'])}>
              <Money cents={row.gmv_30d_cents} sign />
            </Fact>
            <Fact label={say(['30 天核销', '30-day redeemed'])}>{row.verified_30d}</Fact>
          </Facts>
        )}
      </Answer>
    </Section>
  )
}
const StoreDetail = ({ row }: { row: StoreRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={states} />}>
      <Section title={say(['门店', 'Store'])}>
        <Portrait of={row.logo} label={row.name} />
        <Facts>
          {row.status_reason && (
            <Fact wide label={say(['状态原因', 'Why'])}>
              {row.status_reason}
            </Fact>
          )}
          {row.rest_until_at !== null && (
            <Fact wide label={say(['预计恢复', 'Reopens'])}>
              <When at={row.rest_until_at} />
            </Fact>
          )}
          {row.applied !== null && (
            <Fact wide label={say(['申请', 'Application'])}>
              {row.status === 'open' || row.status === 'resting'
                ? say(['变更', 'Change'])
                : say(['新店', 'New store'])}{' '}
              · {say(auditStates[row.applied])}
            </Fact>
          )}
          {row.problems.length > 0 && (
            <Fact wide label={say(['资料问题', 'Problems'])}>
              <Problems row={row} />
            </Fact>
          )}
          <Fact wide label={say(['位置', 'Location'])}>
            {row.city_name} · <Place row={row} /> {row.floor_name} {row.door_no}
          </Fact>
          <Fact wide label={say(['地址', 'Address'])}>
            {row.address}
          </Fact>
          <Fact label={say(['电话', 'Phone'])}>{row.phone || '—'}</Fact>
          <Fact label={say(['营业时间', 'Hours'])}>{row.open_hours}</Fact>
          <Fact label={say(['分类', 'Category'])}>{row.category_name || '—'}</Fact>
          <Fact label={say(['品牌', 'Brand'])}>{row.brand_name || '—'}</Fact>
          <Fact label={say(['人均', 'Per person'])}>
            <Money cents={row.avg_price_cents} sign />
          </Fact>
          <Fact label={say(['评分', 'Score'])}>{(row.score_x10 / 10).toFixed(1)}</Fact>
          <Fact label={say(['核销员', 'Clerks'])}>{row.verifier_count}</Fact>
          <Fact label={say(['门店号', 'Number'])}>{row.store_no}</Fact>
        </Facts>
      </Section>
      <Section title={say(['商户', 'Merchant'])}>
        <Facts>
          <Fact wide label={say(['商户名称', 'Name'])}>
            {row.merchant_name}
          </Fact>
          <Fact label={say(['状态', 'State'])}>{say(merchantStates[row.merchant_status])}</Fact>
          <Fact label={say(['BD', 'BD'])}>{row.bd_name || say(['无', 'None'])}</Fact>
        </Facts>
      </Section>
      <Effects row={row} />
    </Inspector>
  )
}

/** Gives the person the code of a store's page as a picture; a stand-in says that it is one. */
const useCode = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const dispatch = useDispatch()
  useAction(actions.qrcode, ([row]: readonly StoreRow[]) => {
    if (!row) return
    const asked = { path: `pages/store/detail?id=${row.id}`, width: 1280 }
    void dispatchRead(dispatch as never, getMpImg, asked).then(
      async ({ image, real }) => {
        const picture = await (await fetch(image)).blob()
        saveAs(
          `${row.store_no} ${row.name}.${picture.type === 'image/jpeg' ? 'jpg' : 'png'}`,
          picture,
        )
        if (real) toast(say(['门店码已下载', 'Store code downloaded']), 'success')
        else
          toast(
            say([
              '已下载占位图：未配置微信，扫码不能打开小程序',
              'Placeholder downloaded: WeChat is not set up, so scanning won’t open the mini program',
            ]),
            'warning',
          )
      },
      () => {},
    )
  })
}
/** Tells how many products followed what was done with a store. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const told = (text: readonly [string, string], n: number) => {
    toast(say(text, { n }), 'success')
    return true
  }
  useResult(actions.rest, ({ taken_off }) =>
    told(['已暂停营业，下架 {n} 件商品', 'Paused, {n} products taken off sale'], taken_off),
  )
  useResult(actions.close, ({ taken_off }) =>
    told(['已闭店，下架 {n} 件商品', 'Closed, {n} products taken off sale'], taken_off),
  )
  useResult(actions.open, ({ given_back }) =>
    told(['已恢复营业，{n} 件商品恢复在售', 'Open, {n} products back on sale'], given_back),
  )
  useResult(actions.addVerifier, ({ made }) => {
    toast(
      made
        ? say(['已添加新核销员', 'Clerk added'])
        : say(['已将该核销员绑定到本店', 'The clerk is bound to this store']),
      'success',
    )
    return true
  })
}

/** Filters by place and kind; floors are those of the mall that is filtered by. */
const StoreFilters = ({ of }: { of: Parameters<typeof Keyword>[0]['of'] }) => {
  const say = useSay()
  const { mid } = of.input as { mid?: number }
  const floors = useRead(calls.floors, mid ? { mid, pageSize: 200 } : skipToken).data?.list ?? []
  const categories = useRead(calls.categories, {}).data?.list ?? []
  return (
    <>
      <Keyword of={of} placeholder={say(['门店名称、门牌号、门店号', 'Name, door, number'])} />
      <CityFilter of={of} />
      <MallFilter of={of} />
      {mid !== undefined && mid > 0 && (
        <Choice
          of={of}
          by="floor_id"
          label={say(['楼层', 'Floor'])}
          options={floors.map(one => ({ value: one.id, label: one.name }))}
        />
      )}
      <BranchChoice of={of} by="category_id" label={say(['分类', 'Category'])} nodes={categories} />
      <Toggle of={of} by="recommended" label={say(['推荐', 'Recommended'])} />
      <Toggle of={of} by="no_deals" label={say(['无在售商品', 'Nothing on sale'])} />
      <Toggle of={of} by="problem" label={say(['资料有问题', 'Has problems'])} />
    </>
  )
}

/** Stores that stand somewhere: opened, rested, closed, moved, and what lacks. */
export default function Stores() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, storeStates)
  useCounted(actions.rest, calls.effects)
  useCounted(actions.close, calls.effects)
  useCode()
  useTold()
  const [importing, setImporting] = useState(false)
  useAction(actions.import, () => setImporting(true))
  useExport(actions.export, calls.export, { list })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['门店列表', 'Stores'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={<StoreFilters of={list} />}
        />
        <Chosen of={list} none={say(['选择一家门店', 'Choose a store'])}>
          {row => <StoreDetail row={row} />}
        </Chosen>
      </ListDetail>
      {importing && (
        <FileImport
          action={actions.import}
          calls={calls}
          hint={[
            '每行新增一家门店的草稿；已有的门店（同商户、同名、同位置）不会重复新增。',
            'Each line creates a store draft; existing stores (same merchant, name and place) are not created again.',
          ]}
          close={() => setImporting(false)}
        />
      )}
    </>
  )
}
