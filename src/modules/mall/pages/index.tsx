import { Button, Dialog, DialogBody, Radio, RadioGroup } from '@blueprintjs/core'
import { Flame } from '@blueprintjs/icons'
import { useState } from 'react'
import { useDispatch } from 'react-redux'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { mallActions } from '#commands/mall/mall.ts'
import {
  categories,
  coupons,
  featured,
  floors,
  groups,
  hot,
  mallForm,
  shops,
  vouchers,
} from '#commands/pages/mall.ts'
import { isNeeded, mallKinds, mallStates, wanted, type MallState } from '#src/areas/mall/mall.ts'
import { guideRules } from '#src/areas/place/guideRule.ts'
import type { Read, Result } from '#src/contract/call.ts'
import { mallList, type MallRow } from '#src/contract/malls.ts'
import { comma } from '#src/domain/text.ts'
import { dispatchRead, skipToken, useRead, useWrite, type CallError } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Picture } from '#src/kit/image.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { mall as calls } from '../contract/index.ts'
import { Thumb } from '../parts/thumb.tsx'

type Stat = Record<MallState, number>
/** The operators' side of the call: with rows in full. */
const list = mallList as unknown as Read<
  {
    page?: number
    pageSize?: number
    status?: MallState
    sort?: 'sort' | 'gmv_30d' | 'updated_at'
  },
  unknown,
  { list: MallRow[]; total: number; stat?: Stat }
>
const tones: Record<MallState, ToneName> = {
  draft: 'plain',
  online: 'good',
  offline: 'warn',
  closed: 'bad',
}
const actions = Object.values(mallActions)
const pages = [floors, categories, hot, shops, groups, vouchers, coupons, featured]

export default function Malls() {
  const say = useSay()
  const { run, open, toast } = useWorkbench()
  const { id: pane } = usePane()
  const dispatch = useDispatch()
  const rows = useList(list)
  const {
    page: _,
    pageSize: __,
    status: ___,
    sort: ____,
    ...filters
  } = rows.input as Record<string, unknown>
  const stat = useRead(list, { ...filters, page: 1, pageSize: 1 }).data?.stat
  const [full, setFull] = useState<
    { row: MallRow; hot: readonly { mid: number; name: string }[] } | undefined
  >(undefined)
  const [setHot] = useWrite(calls.setHot)
  const heat = (row: MallRow, replace_mid?: number) =>
    setHot(
      {
        mid: row.mid,
        version: row.version,
        is_hot: !row.is_hot,
        ...(replace_mid ? { replace_mid } : {}),
      },
      { quiet: 'wholly' },
    ).then(
      () => {
        setFull(undefined)
        toast(
          row.is_hot ? say(['已取消热门', 'No longer hot']) : say(['已设为热门', 'Marked as hot']),
          'success',
        )
      },
      (error: CallError) => {
        const taken = (error.data as { current_hot?: { mid: number; name: string }[] } | undefined)
          ?.current_hot
        if (error.data?.rule === 'hot_full' && taken) setFull({ row, hot: taken })
        else toast(error.message, 'warning')
      },
    )
  useAction(mallActions.setHot, ([row]) => {
    if (row) void heat(row as MallRow)
  })
  // Their questions begin with what stands, which only the detail knows.
  const runOnDetail =
    (which: Parameters<typeof run>[0]) =>
    ([row]: readonly unknown[]) => {
      if (row)
        void dispatchRead(
          dispatch as never,
          calls.detail,
          { mid: (row as MallRow).mid },
          true,
        ).then(
          detail => run(which, [detail], { pane }),
          () => {},
        )
    }
  useAction(mallActions.setMallOptions, runOnDetail(mallActions.setMallOptions))
  useAction(mallActions.setRivals, runOnDetail(mallActions.setRivals))
  useAction(mallActions.setGuideRule, runOnDetail(mallActions.setGuideRule))
  useExport(mallActions.export, calls.export, { list: rows })

  const columns: readonly Column<MallRow>[] = [
    {
      key: 'name',
      title: ['商场', 'Mall'],
      width: 180,
      grow: true,
      cell: row => (
        <>
          {row.name}
          {row.is_hot && (
            <>
              {' '}
              <Badge icon={Flame}>{say(['热', 'Hot'])}</Badge>
            </>
          )}
        </>
      ),
      words: row => row.name,
    },
    {
      key: 'city',
      title: ['城市', 'City'],
      width: 120,
      cell: row => `${row.city_name} ${row.district}`,
      words: row => `${row.city_name} ${row.district}`,
    },
    {
      key: 'kind',
      title: ['类型', 'Kind'],
      width: 84,
      cell: row => say(mallKinds[row.kind]),
      optional: true,
    },
    {
      key: 'status',
      title: ['状态', 'Status'],
      width: 84,
      cell: row => <Badge tone={tones[row.status]}>{say(mallStates[row.status])}</Badge>,
    },
    {
      key: 'stores',
      title: ['营业门店', 'Open stores'],
      width: 84,
      align: 'end',
      cell: row => `${row.open_store_count} / ${row.store_count}`,
    },
    {
      key: 'floors',
      title: ['楼层', 'Floors'],
      width: 56,
      align: 'end',
      cell: row => row.floor_count,
      optional: true,
    },
    {
      key: 'offers',
      title: ['在售', 'On sale'],
      width: 64,
      align: 'end',
      cell: row => row.on_sale_count,
    },
    {
      key: 'gmv',
      title: ['30 天成交', 'GMV 30 d'],
      width: 116,
      align: 'end',
      sort: 'gmv_30d',
      cell: row => <Money cents={row.gmv_30d_cents} />,
    },
    {
      key: 'visits',
      title: ['30 天访问', 'Visits 30 d'],
      width: 88,
      align: 'end',
      cell: row => row.visit_30d.toLocaleString(),
    },
    {
      key: 'complete',
      title: ['资料', 'Complete'],
      width: 64,
      align: 'end',
      cell: row => (
        <span
          className={row.missing.some(isNeeded) ? 'm-bad' : undefined}
          title={row.missing.map(key => say(wanted[key])).join(say(comma))}
        >
          {row.completeness}%
        </span>
      ),
    },
    {
      key: 'sort',
      title: ['排序', 'Sort'],
      width: 56,
      align: 'end',
      sort: 'sort',
      upwards: true,
      cell: row => row.sort,
      optional: true,
    },
    {
      key: 'updated',
      title: ['更新', 'Updated'],
      width: 116,
      sort: 'updated_at',
      cell: row => <When at={row.updated_at} />,
      optional: true,
    },
  ]
  return (
    <>
      <ListDetail>
        <List
          of={rows}
          label={say(['商场列表', 'Malls'])}
          columns={columns}
          actions={actions}
          onOpen={row => open(to(mallForm, { mid: row.mid }))}
          tabs={{
            by: 'status',
            all: [
              {
                key: '',
                title: ['全部', 'All'],
                ...(stat ? { count: stat.online + stat.draft + stat.offline + stat.closed } : {}),
              },
              ...(Object.keys(mallStates) as MallState[]).map(key => ({
                key,
                title: mallStates[key],
                ...(stat ? { count: stat[key] } : {}),
              })),
            ],
          }}
          filters={
            <>
              <Keyword of={rows} placeholder={say(['名称、拼音、编号', 'Name, pinyin, ID'])} />
              <CityFilter of={rows} />
              <Choice
                of={rows}
                by="kind"
                label={say(['全部类型', 'All kinds'])}
                options={Object.entries(mallKinds).map(([value, label]) => ({
                  value,
                  label: say(label),
                }))}
              />
              <Toggle of={rows} by="is_hot" label={say(['热门', 'Hot'])} />
              <Toggle of={rows} by="incomplete" label={say(['资料不全', 'Incomplete'])} />
              <Toggle of={rows} by="mine" label={say(['我创建的', 'Mine'])} />
            </>
          }
        />
        <Chosen of={rows} none={say(['选择一个商场', 'Choose a mall'])}>
          {row => <Inspector key={row.mid} of={row} />}
        </Chosen>
      </ListDetail>
      {full && (
        <Replace of={full} close={() => setFull(undefined)} go={mid => void heat(full.row, mid)} />
      )}
    </>
  )
}
const Replace = ({
  of,
  close,
  go,
}: {
  of: { row: MallRow; hot: readonly { mid: number; name: string }[] }
  close: () => void
  go: (mid: number) => void
}) => {
  useReturnFocus()
  const say = useSay()
  const [mid, setMid] = useState(of.hot[0]?.mid)
  return (
    <Dialog
      isOpen
      onClose={close}
      title={say(['{city}的热门已满，替换哪一个？', '{city} is full: replace which?'], {
        city: of.row.city_name,
      })}
    >
      <DialogBody>
        <form
          onSubmit={event => {
            event.preventDefault()
            if (mid) go(mid)
          }}
        >
          <RadioGroup
            name="replace"
            selectedValue={mid}
            onChange={event => setMid(Number(event.currentTarget.value))}
          >
            {of.hot.map((one, at) => (
              <Radio key={one.mid} value={one.mid} label={one.name} autoFocus={at === 0} />
            ))}
          </RadioGroup>
          <button type="submit" hidden />
        </form>
      </DialogBody>
      <DialogEnd close={close}>
        <Button
          intent="primary"
          onClick={() => {
            if (mid) go(mid)
          }}
        >
          {say(['替换为 {name}', 'Replace with {name}'], { name: of.row.name })}
        </Button>
      </DialogEnd>
    </Dialog>
  )
}

type Ruled = Pick<Result<typeof calls.detail>, 'guide_rule' | 'rival_ids' | 'rival_names'>
/** What the mall has agreed with its stores. */
const Rules = ({ of }: { of: Ruled }) => {
  const say = useSay()
  return (
    <>
      <Fact wide label={say(['导购换店', 'Guide moves store'])}>
        {say(guideRules[of.guide_rule])}
      </Fact>
      {of.rival_ids.length > 0 && (
        <Fact wide label={say(['排他商户', 'Rival merchants'])}>
          {Object.values(of.rival_names).join(say(comma))}
        </Fact>
      )}
    </>
  )
}

const Inspector = ({ of }: { of: MallRow }) => {
  const say = useSay()
  const now = useLang()
  const { me } = useWorkbench()
  const { data, error, refetch } = useRead(calls.detail, of.mid > 0 ? { mid: of.mid } : skipToken)
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={12} />
  const needed = data.missing.filter(isNeeded)
  return (
    <div className="ml-inspector" tabIndex={0} role="region" aria-label={say(['商场详情', 'Mall'])}>
      <Section
        title={data.name}
        aside={
          <>
            <Badge tone={tones[data.status]}>{say(mallStates[data.status])}</Badge>
            {data.is_hot && <Badge icon={Flame}>{say(['热门', 'Hot'])}</Badge>}
          </>
        }
      >
        <div className="ml-line" style={{ marginBottom: 8 }}>
          <Thumb of={data.logo} name={data.name} />
          <div>
            <div>
              {data.city_name} {data.district}
            </div>
            <div className="m-muted">{data.address || say(['未填地址', 'No address'])}</div>
          </div>
        </div>
        {data.covers[0] && (
          <div className="ml-cover">
            <Picture of={data.covers[0]} label={say(['封面', 'Cover'])} />
          </div>
        )}
      </Section>
      <Section
        title={say(['资料完整度', 'Completeness'])}
        aside={<span className="m-num">{of.completeness}%</span>}
      >
        {data.missing.length === 0 ? (
          <Badge tone="good">{say(['资料齐全', 'Complete'])}</Badge>
        ) : (
          <div className="ml-missing">
            {data.missing.map(key => (
              <Badge key={key} tone={isNeeded(key) ? 'bad' : 'warn'}>
                {say(wanted[key])}
              </Badge>
            ))}
          </div>
        )}
        {needed.length > 0 && data.status !== 'online' && (
          <p className="m-muted">
            {say(['红色的补齐后才能上线', 'Items in red are required to go online'])}
          </p>
        )}
      </Section>
      <Section title={say(['经营', 'Trade'])}>
        <Facts>
          <Fact label={say(['门店', 'Stores'])}>
            {say(['营业 {open} / 共 {n}', '{open} open of {n}'], {
              open: of.open_store_count,
              n: of.store_count,
            })}
          </Fact>
          <Fact label={say(['在售商品', 'On sale'])}>{data.on_sale_count}</Fact>
          <Fact label={say(['30 天成交', 'GMV 30 d'])}>
            <Money cents={of.gmv_30d_cents} sign />
          </Fact>
          <Fact label={say(['30 天访问', 'Visits 30 d'])}>{of.visit_30d}</Fact>
          <Fact label={say(['上线时间', 'Online since'])}>
            <When at={data.online_at} />
          </Fact>
          <Fact label={say(['电话', 'Phone'])}>{data.phone || '—'}</Fact>
          <Rules of={data} />
          {data.close_reason && (
            <Fact wide label={say(['下线或关闭原因', 'Reason'])}>
              {data.close_reason}
            </Fact>
          )}
          <Fact wide label={say(['停车', 'Parking'])}>
            {data.parking_note || '—'}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['楼层', 'Floors'])}>
        {data.floors.length === 0 ? (
          <span className="m-muted">{say(['还没有楼层', 'No floors yet'])}</span>
        ) : (
          <div className="ml-missing">
            {data.floors.map(floor => (
              <Badge key={floor.id}>
                {floor.name} · {floor.store_count}
              </Badge>
            ))}
          </div>
        )}
      </Section>
      <Section title={say(['管理', 'Manage'])}>
        <nav className="ml-links" aria-label={say(['这个商场的页面', 'Pages of this mall'])}>
          {[mallForm, ...pages]
            .filter(page => me.can(page.permit))
            .map(page => (
              <Link key={page.path} href={to(page, { mid: of.mid })}>
                {titleIn(page, now)}
              </Link>
            ))}
        </nav>
      </Section>
    </div>
  )
}
