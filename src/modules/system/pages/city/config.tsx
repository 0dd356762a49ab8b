import { HTMLSelect } from '@blueprintjs/core'
import { useMemo, type ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Action } from '#commands/command.ts'
import {
  cityConfigActions,
  type HotNow,
  type SettingsNow,
  type ThisCity,
} from '#commands/system/city.ts'
import { cityStates, hotModes, type CityBlock } from '#src/areas/place/city.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { cityList } from '#src/contract/places.ts'
import { nowMs } from '#src/domain/clock.ts'
import { semicolon } from '#src/domain/text.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { Picture } from '#src/kit/image.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Phone } from '#src/kit/phone.tsx'
import { Shelf } from '#src/kit/shelf.tsx'
import { Badge, When } from '#src/kit/show.tsx'
import { Answer, Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useResult, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { settings as calls, type ActAreaRow, type ReStoreRow } from '../../contract/citySettings.ts'
import { cityTones } from '../../parts/cityTones.ts'
import { Days } from '../../parts/Days.tsx'

type HotRow = {
  id: number
  mid: number
  name: string
  logo: string
  sort: number
  status: string
  blocked_reason: string
}
type Settings = {
  home_title: string
  service_phone: string
  default_mid: number
  show_hot_mall: boolean
  show_re_store: boolean
  show_act_area: boolean
  block_order: CityBlock[]
}
type Hot = { title: string; show: boolean; style: 'card' | 'list'; limit_count: number }
type Turn = { start_at: number | null; end_at: number | null }
const ended = (row: { end_at: number | null }) =>
  row.end_at !== null && row.end_at * 1000 <= nowMs()
const starts = (row: { start_at: number | null }) =>
  row.start_at !== null && row.start_at * 1000 > nowMs()
const turnFlags = (row: Turn, say: Say): Flag[] => {
  if (ended(row)) return [{ tone: 'plain', text: say(['已结束', 'Ended']) }]
  return starts(row) ? [{ tone: 'info', text: say(['未开始', 'Scheduled']) }] : []
}
const blockedFlags = (row: { blocked_reason: string }): Flag[] =>
  row.blocked_reason ? [{ tone: 'bad', text: row.blocked_reason }] : []

/** What a consumer of the city sees now, in the order as it stands on the boards, saved or not. */
const CityPhone = ({
  city,
  settings,
  hot,
  malls,
  stores,
  areas,
}: {
  city: string
  settings: Settings
  hot: Hot
  malls: readonly HotRow[]
  stores: readonly ReStoreRow[]
  areas: readonly ActAreaRow[]
}) => {
  const say = useSay()
  const blocks: Record<CityBlock, ReactNode> = {
    hot_mall: settings.show_hot_mall && hot.show && (
      <section key="hot">
        <h4>{hot.title}</h4>
        <div className="c-cards" data-style={hot.style}>
          {malls
            .filter(row => !row.blocked_reason)
            .slice(0, hot.limit_count)
            .map(row => (
              <div key={row.id}>{row.name}</div>
            ))}
        </div>
      </section>
    ),
    re_store: settings.show_re_store && (
      <section key="store">
        <h4>{say(['推荐门店', 'Recommended'])}</h4>
        <div className="c-cards" data-style="list">
          {stores
            .filter(row => row.is_live)
            .map(row => (
              <div key={row.id}>{row.store_name}</div>
            ))}
        </div>
      </section>
    ),
    act_area: settings.show_act_area && (
      <section key="area">
        <div className="c-cards">
          {areas
            .filter(row => row.is_live)
            .map(row => (
              <div key={row.id}>
                <Picture of={row.image} label={row.title} />
                <b>{row.title}</b>
                <br />
                {row.sub_title}
              </div>
            ))}
        </div>
      </section>
    ),
  }
  return (
    <Phone
      long
      label={say(['{city}首页的手机预览', 'Phone preview of {city}'], { city })}
      title={settings.home_title || city}
    >
      {settings.block_order.map(block => blocks[block])}
    </Phone>
  )
}

/** Three boards of a city side by side, with what they make of the mini-program's home. */
export default function CityConfig() {
  const say = useSay()
  const pane = usePane()
  const { run, toast } = useWorkbench()
  const [, navigate] = useLocation()
  const city_id = Number(new URLSearchParams(useSearch()).get('city_id')) || 0
  const given = city_id > 0 ? { city_id } : skipToken
  const [preview, setPreview] = usePaneState('preview', true)
  const cities = useRead(cityList, { pageSize: 100 })
  const all = cities.data && !Array.isArray(cities.data) ? cities.data.list : []
  const city = all.find(one => one.id === city_id)
  const overview = useRead(calls.lst, city ? { keyword: city.city_name, pageSize: 100 } : skipToken)
  const mine = overview.currentData?.list.find(one => one.city_id === city_id)
  const stores = useRead(calls.getReStoreList, city_id > 0 ? { city_id, pageSize: 100 } : skipToken)
  const hot = useRead(calls.getHotMallSettings, given)
  const areas = useRead(calls.getActAreaList, given)
  const [sortStores] = useWrite(calls.sortReStore)
  const [saveHot] = useWrite(calls.setHotMallSettings)
  const [sortAreas] = useWrite(calls.sortActArea)

  // Questions call a row by its name.
  const recommended = useMemo(
    () => stores.currentData?.list.map(row => ({ ...row, name: row.store_name })),
    [stores.currentData],
  )
  const storeBoard = useBoard<ReStoreRow>({
    name: `re_store:${city_id}`,
    rows: recommended,
    version: stores.currentData?.list_version,
    error: stores.error,
    stale: stores.isFetching,
    refetch: stores.refetch,
    save: (order, list_version) => sortStores({ city_id, order, list_version }),
  })
  const hotNow = hot.currentData
  const malls = useMemo(
    () => hotNow?.malls.map((row): HotRow => ({ ...row, id: row.mid })),
    [hotNow],
  )
  const manual = hotNow?.mode === 'manual'
  const hotBoard = useBoard<HotRow>({
    name: `hot_mall:${city_id}`,
    rows: manual ? malls : undefined,
    version: hotNow?.version,
    error: hot.error,
    stale: hot.isFetching,
    refetch: hot.refetch,
    save: async (mids, version) => {
      if (hotNow)
        await saveHot({
          city_id,
          version,
          title: hotNow.title,
          show: hotNow.show,
          mode: 'manual',
          limit_count: hotNow.limit_count,
          style: hotNow.style,
          mids,
        })
    },
  })
  const areaBoard = useBoard<ActAreaRow>({
    name: `act_area:${city_id}`,
    rows: areas.currentData?.list,
    version: areas.currentData?.list_version,
    error: areas.error,
    stale: areas.isFetching,
    refetch: areas.refetch,
    save: (order, list_version) => sortAreas({ city_id, order, list_version }),
  })
  const dirty = storeBoard.dirty || hotBoard.dirty || areaBoard.dirty

  useAction(cityConfigActions.sortReStore, () => void storeBoard.save())
  useAction(cityConfigActions.sortActArea, () => void areaBoard.save())
  const here: ThisCity | undefined = city && { id: city.id, name: city.city_name }
  const ask = (action: Action, on: object | undefined) => {
    if (on) void run(action, [], { pane: pane.id, on })
  }
  useAction(cityConfigActions.setReStore, () => ask(cityConfigActions.setReStore, here))
  useAction(cityConfigActions.setActArea, () => ask(cityConfigActions.setActArea, here))
  useAction(cityConfigActions.copyFrom, () => ask(cityConfigActions.copyFrom, here))
  // An order that was moved on the board is saved as it stands; otherwise the settings are asked
  // for.
  useAction(cityConfigActions.setHotMallSettings, () => {
    if (hotBoard.dirty) void hotBoard.save()
    else
      ask(
        cityConfigActions.setHotMallSettings,
        here && hotNow ? ({ ...hotNow, ...here } satisfies HotNow) : undefined,
      )
  })
  const picked = useRead(
    mallPicker,
    mine && mine.settings.default_mid > 0
      ? { city_id, include: [mine.settings.default_mid] }
      : skipToken,
  )
  useAction(cityConfigActions.edit, () =>
    ask(
      cityConfigActions.edit,
      here && mine
        ? ({
            ...here,
            version: mine.version,
            settings: mine.settings,
            default_mall: picked.data?.list.find(row => row.mid === mine.settings.default_mid)
              ?.name,
          } satisfies SettingsNow)
        : undefined,
    ),
  )
  useAction(cityConfigActions.preview, () => setPreview(!preview))
  useResult(cityConfigActions.setReStore, result => {
    if ('ok' in result && result.failed.length > 0)
      toast(
        say(['{ok} 家已推荐；{n} 家没有：{why}', '{ok} recommended; {n} not: {why}'], {
          ok: result.ok.length,
          n: result.failed.length,
          why: [...new Set(result.failed.map(one => one.reason))].join(say(semicolon)),
        }),
        'warning',
      )
  })
  useResult(cityConfigActions.copyFrom, done =>
    toast(
      say(
        [
          '已复制 {areas} 个专区；略过门店 {stores} 家、商场 {malls} 个、专区 {skipped} 个',
          '{areas} areas copied; skipped: {stores} stores, {malls} malls, {skipped} areas',
        ],
        {
          areas: done.copied_areas,
          stores: done.skipped_stores,
          malls: done.skipped_malls,
          skipped: done.skipped_areas.length,
        },
      ),
      'success',
    ),
  )
  const { rows } = useStageSubject(pane.stage)

  const leave = (to: string) => navigate(`?city_id=${to}`, { replace: true })
  if (cities.error && !cities.data) return <Failed error={cities.error} retry={cities.refetch} />
  if (!cities.data) return <Loading lines={10} />
  if (!city)
    return (
      <Empty
        title={say([
          '没有这个城市，或不在你的数据范围内',
          'No such city, or outside your data scope',
        ])}
      >
        <HTMLSelect
          aria-label={say(['城市', 'City'])}
          value=""
          onChange={event => leave(event.target.value)}
          options={[
            { value: '', label: say(['选择城市', 'Choose a city']) },
            ...all.map(one => ({ value: one.id, label: one.city_name })),
          ]}
        />
      </Empty>
    )
  const broken =
    (storeBoard.rows ?? []).filter(row => row.blocked_reason && !ended(row)).length +
    (malls ?? []).filter(row => row.blocked_reason).length +
    (areaBoard.rows ?? []).filter(row => !row.link_ok && !ended(row)).length
  const hotRow = (row: HotRow) => (
    <div className="c-line">
      <b>{row.name}</b>
    </div>
  )
  return (
    <div className="m-list">
      <div className="m-filters">
        <HTMLSelect
          aria-label={say(['切换城市', 'Switch city'])}
          value={city_id}
          onChange={event => leave(event.target.value)}
          options={all.map(one => ({ value: one.id, label: one.city_name }))}
        />
        <Badge tone={cityTones[city.status]}>{say(cityStates[city.status])}</Badge>
        {broken > 0 && (
          <Badge tone="bad">
            {say(['{n} 处已失效，买家看不到', '{n} broken and hidden from buyers'], { n: broken })}
          </Badge>
        )}
        {dirty && <Badge tone="info">{say(['有未保存的排序', 'Unsaved order'])}</Badge>}
      </div>
      <Toolbar actions={Object.values(cityConfigActions)} rows={rows} />
      <div className="m-rows">
        <Columns
          widths={
            preview
              ? 'minmax(260px, 4fr) minmax(200px, 3fr) minmax(260px, 4fr) 300px'
              : 'minmax(260px, 4fr) minmax(200px, 3fr) minmax(260px, 4fr)'
          }
          first="stores"
        >
          <Column
            name="stores"
            title={say(['推荐门店', 'Recommended stores'])}
            aside={
              stores.data && (
                <span className="m-muted m-num">
                  {say(['展示中 {n}/{max}', '{n} of {max} shown'], {
                    n: (storeBoard.rows ?? []).filter(row => row.is_live).length,
                    max: stores.data.max,
                  })}
                </span>
              )
            }
          >
            <Board
              of={storeBoard}
              label={say(['推荐门店', 'Recommended stores'])}
              labelOf={row => row.store_name}
              saves={cityConfigActions.sortReStore}
              dim={row => !row.is_live}
              onOpen={row => void run(cityConfigActions.setPeriod, [row], { pane: pane.id })}
              empty={
                <Empty title={say(['还没有推荐门店', 'No store is recommended'])}>
                  <p>
                    <Keyed
                      text={['按 {choose} 选择门店。', '{choose} chooses some.']}
                      by={{ choose: cityConfigActions.setReStore }}
                    />
                  </p>
                </Empty>
              }
              row={row => (
                <div className="c-two">
                  <b className="m-ellipsis">{row.store_name}</b>
                  <small>
                    {[row.mall_name || say(['商场外', 'Outside malls']), row.category_name]
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                  <small>
                    {row.start_at === null && row.end_at === null ? (
                      say(['长期', 'No end date'])
                    ) : (
                      <>
                        <When at={row.start_at} /> – <When at={row.end_at} />
                      </>
                    )}
                  </small>
                </div>
              )}
              flags={row => (row.blocked_reason ? blockedFlags(row) : turnFlags(row, say))}
            />
          </Column>
          <Column
            name="malls"
            title={hotNow?.title ?? say(['热门商圈', 'Hot malls'])}
            aside={hotNow && <span className="m-muted">{say(hotModes[hotNow.mode])}</span>}
          >
            <Answer of={{ ...hot, data: hotNow }} lines={6}>
              {() =>
                manual ? (
                  <Board
                    of={hotBoard}
                    label={say(['热门商圈', 'Hot malls'])}
                    labelOf={row => row.name}
                    saves={cityConfigActions.setHotMallSettings}
                    row={hotRow}
                    flags={blockedFlags}
                    dim={row => row.blocked_reason !== ''}
                  />
                ) : (
                  <Shelf
                    name="malls"
                    label={say(['热门商圈', 'Hot malls'])}
                    of={{
                      rows: malls,
                      error: hot.error,
                      stale: hot.isFetching,
                      refetch: hot.refetch,
                    }}
                    labelOf={row => row.name}
                    row={hotRow}
                    flags={blockedFlags}
                    empty={<Empty title={say(['没有上架的商场', 'No mall online'])} />}
                  />
                )
              }
            </Answer>
          </Column>
          <Column
            name="areas"
            title={say(['活动专区', 'Activity areas'])}
            aside={
              areas.data && (
                <span className="m-muted m-num">
                  {say(['展示中 {n}/{max}', '{n} of {max} shown'], {
                    n: (areaBoard.rows ?? []).filter(row => row.is_live).length,
                    max: areas.data.max,
                  })}
                </span>
              )
            }
          >
            <Board
              of={areaBoard}
              label={say(['活动专区', 'Activity areas'])}
              labelOf={row => row.title}
              saves={cityConfigActions.sortActArea}
              dim={row => !row.is_live}
              onOpen={row => void run(cityConfigActions.editActArea, [row], { pane: pane.id })}
              empty={
                <Empty title={say(['还没有活动专区', 'No area yet'])}>
                  <p>
                    <Keyed
                      text={['按 {add} 新增。', '{add} makes one.']}
                      by={{ add: cityConfigActions.setActArea }}
                    />
                  </p>
                </Empty>
              }
              row={row => (
                <div className="c-line">
                  <div className="c-thumb">
                    <Picture of={row.image} label="" />
                  </div>
                  <div className="c-two">
                    <b className="m-ellipsis">{row.title}</b>
                    <small>{row.link_name}</small>
                    <small className="c-whole">
                      {row.start_at !== null && row.end_at !== null && (
                        <Days from={row.start_at} to={row.end_at} />
                      )}{' '}
                      · {say(['点击 {n}', 'Clicks {n}'], { n: row.clicks })}
                    </small>
                  </div>
                </div>
              )}
              flags={row => [
                ...(row.link_ok
                  ? []
                  : [{ tone: 'bad' as const, text: say(['目标失效', 'Broken link']) }]),
                ...turnFlags(row, say),
              ]}
            />
          </Column>
          {preview && (
            <section className="m-column" aria-label={say(['手机预览', 'Phone preview'])}>
              <header>
                <h3>{say(['手机预览', 'Phone preview'])}</h3>
              </header>
              <div className="c-inspect">
                {mine && hotNow ? (
                  <CityPhone
                    city={city.city_name}
                    settings={mine.settings}
                    hot={hotNow}
                    malls={hotBoard.rows ?? malls ?? []}
                    stores={storeBoard.rows ?? []}
                    areas={areaBoard.rows ?? []}
                  />
                ) : (
                  <Loading />
                )}
              </div>
            </section>
          )}
        </Columns>
      </div>
    </div>
  )
}
