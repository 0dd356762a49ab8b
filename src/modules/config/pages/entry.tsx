import { Button, HTMLSelect } from '@blueprintjs/core'
import { useLocation, useSearch } from 'wouter'
import type { Action } from '#commands/command.ts'
import { designerOf } from '#commands/config/designPages.ts'
import { entryActions as actions, type EntryGiven } from '#commands/config/entries.ts'
import { listNextTab, listPreviousTab } from '#commands/list.ts'
import {
  countFault,
  entryPositions,
  entryStates,
  hiddenFrom,
  isForAll,
  type EntryPosition,
} from '#src/areas/entryIcon/entryIcon.ts'
import { pageTypes } from '#src/areas/scheme/blocks.ts'
import { dateOf, timeFull, unixNow } from '#src/domain/time.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { SmallTable } from '#src/kit/cells.tsx'
import { skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { Thumb } from '#src/kit/image.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { useCities } from '#src/kit/places.tsx'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Badge, Section } from '#src/kit/show.tsx'
import { Empty, Failed } from '#src/kit/states.tsx'
import { Tabs, turned } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useResult, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { entry as calls, type EntryRow, type SchemeRow } from '../contract/entry.ts'
import { EntryPhone } from '../parts/EntryPhone.tsx'
import '../parts/entries.css'

const all = Object.values(actions)
const positions = (Object.keys(entryPositions) as EntryPosition[]).map(key => ({ key }))
const SCHEMES = 50
/** The same list each time: another one would be drawn anew for ever. */
const NONE: never[] = []

const Entry = ({ of }: { of: EntryRow }) => {
  const say = useSay()
  return (
    <div className="ce-line">
      <Thumb of={of.icon} />
      <div>
        <div className="ce-name">
          {of.title} <span className="m-muted">{of.link_name}</span>
        </div>
        <div className="ce-meta">
          <span>
            {say(['7 天点击', 'Clicks, 7 d'])} <b>{of.clicks_7d}</b>
          </span>
          {(of.start_at !== null || of.end_at !== null) && (
            <span>
              {of.start_at === null ? say(['即日', 'Now']) : dateOf(of.start_at)} –{' '}
              {of.end_at === null ? say(['长期', 'no end date']) : dateOf(of.end_at)}
            </span>
          )}
          {of.status === 'offline' && of.off_reason && <span>{of.off_reason}</span>}
        </div>
      </div>
    </div>
  )
}
const useFlags = () => {
  const say = useSay()
  const stateOf = (of: EntryRow): Flag => {
    if (of.status === 'online' && !of.is_live)
      return { tone: 'info', text: say(['未开始', 'Planned']) }
    const tone = { online: 'good', offline: 'warn', ended: 'plain' } as const
    return { tone: tone[of.status], text: say(entryStates[of.status]) }
  }
  return (of: EntryRow): readonly Flag[] => [
    ...(of.badge_on
      ? [
          {
            tone: 'plain' as const,
            text: of.badge,
            title: say(['角标展示至 {at}', 'A badge until {at}'], {
              at: timeFull(of.badge_until!),
            }),
          },
        ]
      : []),
    ...(isForAll(of)
      ? []
      : [{ tone: 'info' as const, text: say(['限定受众', 'Limited audience']) }]),
    ...(of.link_ok ? [] : [{ tone: 'bad' as const, text: say(['链接失效', 'Dead link']) }]),
    stateOf(of),
  ]
}
/** How many are shown, and what is wrong with that. */
const Count = ({ position, of }: { position: EntryPosition; of: readonly EntryRow[] }) => {
  const say = useSay()
  const shown = of.filter(one => one.is_live && one.link_ok).length
  const fault = countFault(position, shown)
  const hidden = hiddenFrom(position, of, unixNow())
  return (
    <>
      {hidden !== undefined && (
        <Badge tone="bad">
          {say(['自 {at} 起部分用户看不到入口', 'From {at} on some see none'], {
            at: dateOf(hidden),
          })}
        </Badge>
      )}
      {fault && (
        <Badge tone={fault.tooFew ? 'bad' : 'warn'}>
          {fault.over > 0
            ? say(['多出 {n} 个', '{n} too many'], { n: fault.over })
            : say(['还差 {n} 个满行', '{n} short of a full row'], { n: fault.missing })}
        </Badge>
      )}
      <span className="m-muted">
        {say(['展示 {n} / {all}', '{n} of {all} shown'], { n: shown, all: of.length })}
      </span>
    </>
  )
}
const schemeFlags = (say: ReturnType<typeof useSay>, of: SchemeRow): readonly Flag[] => [
  of.live_no === null
    ? { tone: 'plain', text: say(['未发布', 'Not published']) }
    : { tone: 'good', text: say(['线上 v{no}', 'Live v{no}'], { no: of.live_no }) },
  ...(of.has_draft
    ? [{ tone: 'warn' as const, text: say(['有草稿', 'Draft']), title: of.draft_by }]
    : []),
  ...(of.scheduled_at === null
    ? []
    : [
        {
          tone: 'info' as const,
          text: say(['定时', 'Scheduled']),
          title: timeFull(of.scheduled_at),
        },
      ]),
]
const Schemes = ({ city_id }: { city_id: number | undefined }) => {
  const say = useSay()
  const { open } = useWorkbench()
  const { turn, ...page } = usePaging(`schemes:${city_id}`, SCHEMES)
  const read = useRead(calls.schemes, city_id === undefined ? skipToken : { city_id, ...page })
  const title = say(['页面方案', 'Page designs'])
  return (
    <Column name="schemes" title={title}>
      <Shelf<SchemeRow>
        name="schemes"
        label={title}
        of={sourceOf(read)}
        labelOf={one => one.name}
        paging={{ ...page, turn, total: read.data?.total }}
        onOpen={one => open(designerOf(one))}
        flags={one => schemeFlags(say, one)}
        row={one => (
          <div>
            <div className="ce-name">{one.name}</div>
            <div className="ce-meta">
              <span>{say(pageTypes[one.type].title)}</span>
              <span>
                {say(['更新于', 'Changed'])} {dateOf(one.updated_at)}
              </span>
            </div>
          </div>
        )}
        empty={
          <Empty title={say(['这个城市还没有页面方案', 'No page design in this city'])}>
            <p>
              <Keyed
                text={['按 {add} 起草一个。', '{add} begins one.']}
                by={{ add: actions.newScheme }}
              />
            </p>
          </Empty>
        }
      />
    </Column>
  )
}

type Skipped = {
  id: number
  title: string
  city_id: number
  city_name: string
  why: string
}
/** What a copy left out stays in sight until it is put away. */
const LeftOut = ({ of, close }: { of: readonly Skipped[]; close: () => void }) => {
  const say = useSay()
  return (
    <div className="ce-skipped" role="status">
      <Section
        title={say(['未复制 {n} 项', '{n} not copied'], { n: of.length })}
        aside={
          <Button size="small" variant="minimal" onClick={close}>
            {say(['知道了', 'Put away'])}
          </Button>
        }
      >
        <SmallTable
          head={[
            ['入口', 'Entry'],
            ['城市', 'City'],
            ['原因', 'Why'],
          ]}
          rows={of}
          keyOf={one => `${one.id}/${one.city_id}`}
          cells={one => [one.title, one.city_name, one.why]}
        />
      </Section>
    </div>
  )
}
/** The place in sight: of the address, else the grid of the city that was there first. */
const usePlace = () => {
  const search = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const { data: cities = NONE } = useCities()
  const named = search.get('position')
  const position: EntryPosition =
    named && Object.hasOwn(entryPositions, named) ? (named as EntryPosition) : 'grid'
  const first = cities.length > 0 ? Math.min(...cities.map(one => one.id)) : undefined
  const city_id = Number(search.get('city_id')) || first
  const set = (patch: Record<string, string>) => {
    for (const [key, value] of Object.entries(patch)) search.set(key, value)
    navigate(`?${search}`, { replace: true })
  }
  const city_name = cities.find(one => one.id === city_id)?.city_name ?? ''
  return { cities, city_id, city_name, position, set }
}
type Place = ReturnType<typeof usePlace>
/** The entries of the place, and the order of them that is not saved yet. */
const useEntries = ({ city_id, position }: Place) => {
  const read = useRead(calls.lst, city_id === undefined ? skipToken : { city_id, position })
  const [sort] = useWrite(calls.sort)
  const board = useBoard<EntryRow>({
    name: `entry:${position}:${city_id}`,
    rows: read.currentData?.list,
    version: read.currentData?.list_version,
    error: read.error,
    stale: read.isFetching,
    refetch: read.refetch,
    save: async (order, list_version) => {
      if (city_id !== undefined) await sort({ city_id, position, order, list_version })
    },
  })
  useAction(actions.sort, () => void board.save())
  return { read, board }
}
/** Starts the actions of the page with the place in sight, and tells what became of them. */
const useStarting = ({ city_id, city_name, position }: Place) => {
  const say = useSay()
  const { id: pane } = usePane()
  const { run, toast, open } = useWorkbench()
  const [skipped, setSkipped] = usePaneState<readonly Skipped[]>('skipped', NONE)
  const start = (action: Action) => {
    if (city_id === undefined) return
    const name = `${city_name} · ${say(entryPositions[position])}`
    const on: EntryGiven = { city_id, city_name, position, name }
    void run(action, [], { pane, on })
  }
  useAction(actions.create, () => start(actions.create))
  useAction(actions.newScheme, () => start(actions.newScheme))
  useResult(actions.newScheme, made => open(designerOf(made)))
  useResult(actions.copyToCities, told => {
    setSkipped(told.skipped)
    toast(
      say(['已复制 {n} 个入口', '{n} copied'], { n: told.copied }),
      told.skipped.length > 0 ? 'warning' : 'success',
    )
    return true
  })
  return { skipped, putAway: () => setSkipped(NONE) }
}

/** The icons of a city's home, their order and what consumers see, and the designs behind them. */
export default function HomeEntries() {
  const say = useSay()
  const { stage } = usePane()
  const subject = useStageSubject(stage)
  const flags = useFlags()
  const place = usePlace()
  const { position, city_id, cities, city_name, set } = place
  const { read, board } = useEntries(place)
  const [previewing, setPreviewing] = usePaneState('preview', true)
  const { skipped, putAway } = useStarting(place)
  const turnTo = (key: EntryPosition) => set({ position: key })
  useAction(listNextTab, () => turnTo(turned(positions, position, 1)))
  useAction(listPreviousTab, () => turnTo(turned(positions, position, -1)))
  useAction(actions.preview, () => setPreviewing(!previewing))
  if (read.error && !read.data) return <Failed error={read.error} retry={read.refetch} />
  const rows = board.rows ?? NONE
  const title = say(entryPositions[position])
  return (
    <div className="ce-page">
      <Tabs
        label={say(['位置', 'Position'])}
        at={position}
        go={turnTo}
        all={positions.map(({ key }) => ({ key, title: say(entryPositions[key]) }))}
      />
      <Toolbar actions={all} rows={subject.rows} plain={board.dirty}>
        <HTMLSelect
          aria-label={say(['城市', 'City'])}
          value={city_id ?? ''}
          options={cities.map(one => ({ value: one.id, label: one.city_name }))}
          onChange={event => set({ city_id: event.currentTarget.value })}
        />
      </Toolbar>
      {skipped.length > 0 && <LeftOut of={skipped} close={putAway} />}
      <Columns
        widths={
          previewing
            ? 'minmax(340px, 1.4fr) minmax(300px, 344px) minmax(220px, 1fr)'
            : 'minmax(340px, 1.6fr) minmax(260px, 1fr)'
        }
        first="entries"
      >
        <Column name="entries" title={title} aside={<Count position={position} of={rows} />}>
          <Board
            of={board}
            label={title}
            labelOf={one => one.title}
            saves={actions.sort}
            dim={one => !one.is_live}
            flags={flags}
            row={one => <Entry of={one} />}
            empty={
              <Empty title={say(['这个位置还没有入口', 'No entry in this position'])}>
                <p>
                  <Keyed
                    text={['按 {add} 新增一个。', '{add} makes one.']}
                    by={{ add: actions.create }}
                  />
                </p>
              </Empty>
            }
          />
        </Column>
        {previewing && (
          <Column name="preview" title={say(['手机预览', 'Phone preview'])}>
            <EntryPhone position={position} entries={rows} city={city_name} />
          </Column>
        )}
        <Schemes city_id={city_id} />
      </Columns>
    </div>
  )
}
