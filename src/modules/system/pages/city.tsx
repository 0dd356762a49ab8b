import { Tick, WarningSign } from '@blueprintjs/icons'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { cityConfig } from '#commands/pages/system.ts'
import { cityActions } from '#commands/system/city.ts'
import { cityChecks, cityStates, missingChecks } from '#src/areas/place/city.ts'
import { cityList, type CityRow } from '#src/contract/places.ts'
import { comma } from '#src/domain/text.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Board } from '#src/kit/board.tsx'
import { isStale, useRead, useWrite } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { MapPin } from '#src/kit/map.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { city as calls } from '../contract/city.ts'
import { cityTones } from '../parts/cityTones.ts'
import '../parts/content.css'

const e6 = (row: { lng: string; lat: string }) => ({
  lng_e6: Math.round(Number(row.lng) * 1e6),
  lat_e6: Math.round(Number(row.lat) * 1e6),
})

/** The city in front: what it lacks to open, where it is, who looks after it. */
const Inspector = ({ row }: { row: CityRow }) => {
  const say = useSay()
  const { me, run } = useWorkbench()
  const data = useRead(calls.getCityData, { id: row.id })
  const more =
    data.data && !Array.isArray(data.data) && data.data.id === row.id ? data.data : undefined
  const move = (pin: { lng_e6: number; lat_e6: number } | null) => {
    if (pin)
      void run(cityActions.edit, [row], {
        asked: { lng: `${(pin.lng_e6 / 1e6).toFixed(6)}, ${(pin.lat_e6 / 1e6).toFixed(6)}` },
      })
  }
  return (
    <div className="c-inspect">
      <header>
        <h2>{row.city_name}</h2>
        <Badge tone={cityTones[row.status]}>{say(cityStates[row.status])}</Badge>
        {row.is_default && <Badge tone="info">{say(['默认城市', 'Default'])}</Badge>}
        <span className="m-fill" />
        <Link href={to(cityConfig, { city_id: row.id })}>{say(['城市配置', 'City settings'])}</Link>
      </header>
      <Section title={say(['开城检查', 'Opening checklist'])}>
        <ul className="c-checks">
          {row.checklist.map(one => (
            <li key={one.key} data-ok={one.ok || undefined}>
              {one.ok ? <Tick /> : <WarningSign />}
              {say(cityChecks[one.key])}
              <span className="m-sr">
                {one.ok ? say(['已满足', 'Done']) : say(['缺少', 'Missing'])}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title={say(['资料', 'Facts'])}>
        <Facts>
          <Fact label={say(['行政区划', 'Region code'])}>
            <span className="m-num">{row.adcode}</span>
          </Fact>
          <Fact label={say(['拼音', 'Pinyin'])}>
            {row.initial} · {row.pinyin}
          </Fact>
          <Fact label={say(['商场', 'Malls'])}>{row.mall_count}</Fact>
          <Fact label={say(['门店', 'Stores'])}>{row.store_count}</Fact>
          <Fact label={say(['会员', 'Members'])}>{row.member_count}</Fact>
          <Fact label={say(['开城时间', 'Opened'])}>
            <When at={row.opened_at} />
          </Fact>
          <Fact wide label={say(['负责人', 'Managed by'])}>
            {more
              ? more.admin_names.join(say(comma)) ||
                say(['没有专属城市经理', 'Nobody in particular'])
              : '…'}
          </Fact>
        </Facts>
        {data.error && <Failed error={data.error} retry={data.refetch} />}
      </Section>
      <Section title={say(['中心坐标', 'Centre'])}>
        <div className="c-map">
          <MapPin
            key={row.id}
            label={say(['{city}的中心', 'Centre of {city}'], { city: row.city_name })}
            value={e6(row)}
            centre={e6(row)}
            place={row.city_name}
            onChange={move}
            readOnly={!me.can(cityActions.edit.permit)}
          />
        </div>
      </Section>
    </div>
  )
}

/**
 * Cities in the order consumers see them, with what each lacks; opening, pausing and arranging
 * them.
 */
export default function Cities() {
  const say = useSay()
  const pane = usePane()
  const { open } = useWorkbench()
  const read = useRead(cityList, { pageSize: 100 })
  const data = read.data && !Array.isArray(read.data) ? read.data : undefined
  const [save] = useWrite(calls.sort)
  // Questions call a row by its name.
  const named = useMemo(() => data?.list.map(row => ({ ...row, name: row.city_name })), [data])
  const board = useBoard<CityRow>({
    name: 'cities',
    rows: named,
    version: data?.list_version,
    error: read.error,
    stale: isStale(read),
    refetch: read.refetch,
    save: (order, list_version) => save({ order, list_version }),
  })
  useAction(cityActions.sort, () => void board.save())
  useExport(cityActions.export, calls.export)
  const { rows } = useStageSubject(pane.stage)
  const subject = rows as readonly CityRow[]
  const focused = useMemo(
    () => board.rows?.find(row => row.id === board.focused),
    [board.rows, board.focused],
  )
  const actions = Object.values(cityActions)
  // A city manager sees part of the list; only the whole of it can be arranged.
  const part = data !== undefined && data.list.length < data.total
  const noneChosen = data ? <Empty title={say(['选择一个城市', 'Choose a city'])} /> : <Loading />
  return (
    <div className="m-list">
      <Toolbar actions={actions} rows={subject} plain={board.dirty} />
      <div className="m-rows">
        <Columns widths="minmax(360px, 5fr) minmax(320px, 4fr)" first="cities">
          <Column
            name="cities"
            title={say(['城市', 'Cities'])}
            aside={
              data && (
                <span className="m-muted m-num">
                  {say(['已开城 {n}/{all}', '{n} of {all} open'], {
                    n: data.list.filter(row => row.status === 'open').length,
                    all: data.total,
                  })}
                </span>
              )
            }
          >
            <Board
              of={board}
              label={say(['城市', 'Cities'])}
              labelOf={row => row.city_name}
              saves={cityActions.sort}
              onOpen={row => open(to(cityConfig, { city_id: row.id }))}
              fixed={
                part
                  ? say(['需要看到全部城市才能排序', 'Only who sees all cities arranges them'])
                  : undefined
              }
              dim={row => row.status === 'preparing'}
              row={row => (
                <div className="c-line">
                  <b>{row.city_name}</b>
                  <small className="m-num">{row.adcode}</small>
                  <span className="m-fill" />
                  <small className="m-num">
                    {say(['商场 {m} · 门店 {s}', 'Malls {m} · stores {s}'], {
                      m: row.mall_count,
                      s: row.store_count,
                    })}
                  </small>
                </div>
              )}
              flags={row => [
                ...(row.is_default
                  ? [{ tone: 'info' as const, text: say(['默认', 'Default']) }]
                  : []),
                { tone: cityTones[row.status], text: say(cityStates[row.status]) },
                ...(row.status !== 'paused' && missingChecks(row.checklist).length > 0
                  ? [
                      {
                        tone: row.status === 'open' ? ('bad' as const) : ('warn' as const),
                        text: say(['缺 {n} 项', '{n} missing'], {
                          n: missingChecks(row.checklist).length,
                        }),
                        title: missingChecks(row.checklist)
                          .map(key => say(cityChecks[key]))
                          .join(say(comma)),
                      },
                    ]
                  : []),
              ]}
            />
          </Column>
          <section className="m-column" aria-label={say(['城市详情', 'City detail'])}>
            {focused ? <Inspector row={focused} /> : noneChosen}
          </section>
        </Columns>
      </div>
    </div>
  )
}
