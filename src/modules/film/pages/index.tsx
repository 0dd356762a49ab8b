import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { filmActions as actions } from '#commands/film/index.ts'
import { filmDetailPage } from '#commands/pages/film.ts'
import { ticketProviders } from '#src/areas/film/film.ts'
import { Among } from '#src/kit/among.tsx'
import { moneyColumn, textColumn, wordColumn } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { filmOrders as calls, type FilmRow as Row } from '../contract/index.ts'
import { FilmFigures, useStages } from '../parts/FilmFigures.tsx'
import { ShowTime, Stage, useSeats, Waited } from '../parts/filmLooks.tsx'
import { PriceLines } from '../parts/FilmMoney.tsx'
import { useFilmTold } from '../parts/useFilmTold.tsx'

const PERIOD_DAYS = 186
const Seats = ({ row }: { row: Row }) => {
  const seats = useSeats()(row)
  // A seat that is cut is another one: they are shown whole or not at all.
  return (
    <span className="m-num" title={seats}>
      {seats}
    </span>
  )
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('film_name', ['影片', 'Film'], 140), grow: true },
  {
    key: 'stage',
    title: ['状态', 'State'],
    width: 96,
    priority: 1,
    cell: row => <Stage row={row} />,
  },
  {
    key: 'waiting',
    title: ['已等待', 'Waiting'],
    width: 96,
    priority: 1,
    cell: row => <Waited row={row} />,
  },
  {
    key: 'show_at',
    title: ['场次', 'Show'],
    width: 124,
    priority: 1,
    cell: row => <ShowTime row={row} />,
  },
  { ...textColumn('cinema_name', ['影院', 'Cinema'], 140), grow: true, priority: 2 },
  {
    key: 'seats',
    title: ['座位', 'Seats'],
    width: 116,
    priority: 3,
    cell: row => <Seats row={row} />,
  },
  { ...moneyColumn('pay_cents', ['实付', 'Paid'], 84), priority: 2 },
  { ...wordColumn('provider', ['出票渠道', 'Provider'], 88, ticketProviders), priority: 2 },
  { ...moneyColumn('sale_cents', ['票价', 'Tickets'], 84), priority: 3 },
  { ...moneyColumn('cost_cents', ['成本', 'Cost'], 84), priority: 3 },
  { ...moneyColumn('coupon_cents', ['优惠券', 'Coupon'], 84), priority: 3 },
  { ...moneyColumn('profit_cents', ['利润', 'Profit'], 84), priority: 3 },
  { ...textColumn('order_no', ['订单号', 'Order no.'], 160), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
  { ...textColumn('mall_name', ['商场', 'Mall'], 120), optional: true },
  {
    key: 'created_at',
    title: ['下单时间', 'Ordered at'],
    width: 108,
    optional: true,
    cell: row => <When at={row.created_at} />,
  },
]
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const seats = useSeats()(row)
  return (
    <Inspector title={row.order_no} aside={<Stage row={row} />}>
      <Section title={say(['场次', 'Show'])}>
        <Facts>
          <Fact wide label={say(['影片', 'Film'])}>
            {row.film_name}
          </Fact>
          <Fact wide label={say(['影院', 'Cinema'])}>
            {row.cinema_name} {row.hall}
          </Fact>
          <Fact label={say(['开场', 'Begins'])}>
            <ShowTime row={row} />
          </Fact>
          <Fact label={say(['座位', 'Seats'])}>{seats}</Fact>
        </Facts>
      </Section>
      <Section title={say(['出票', 'Tickets'])}>
        <Facts>
          <Fact label={say(['已等待', 'Waiting'])}>
            <Waited row={row} />
          </Fact>
          <Fact label={say(['渠道', 'Provider'])}>{say(ticketProviders[row.provider])}</Fact>
          <Fact wide label={say(['渠道消息', 'Provider message'])}>
            {row.provider_status || '—'}
          </Fact>
          {row.frozen && (
            <Fact wide label={say(['冻结原因', 'Why frozen'])}>
              {row.freeze_reason || '—'}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['金额', 'Money'])}>
        <PriceLines row={row} />
      </Section>
      <Section title={say(['会员', 'Member'])}>
        <Facts>
          <Fact label={say(['昵称', 'Name'])}>{row.member_name}</Fact>
          <Fact label={say(['手机号', 'Phone'])}>
            <span className="m-num">{row.phone ?? '—'}</span>
          </Fact>
        </Facts>
        {me.can(filmDetailPage.permit) && (
          <p>
            <Link href={to(filmDetailPage, { id: row.id })}>
              {say(['打开详情与座位图', 'Open it with its seats'])}
            </Link>
          </p>
        )}
      </Section>
    </Inspector>
  )
}
/** Film orders, from the lock of their seats to settlement: what is stuck is rescued before its show. */
export default function FilmOrders() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs, of } = useStages(list)
  const told = useFilmTold()
  const { open } = useWorkbench()
  useExport(actions.export, calls.export, { list })
  return (
    <div className="fi-page">
      <FilmFigures list={list} of={of} />
      <ListDetail label={say(['列表与订单详情的分隔', 'Between list and order'])}>
        <List
          of={list}
          label={say(['影票订单', 'Film ticket orders'])}
          columns={columns}
          onOpen={row => open(to(filmDetailPage, { id: row.id }))}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['订单号、手机号或影片名', 'Order, phone, film'])}
              />
              <Toggle of={list} by="stuck" label={say(['超 5 分钟未出票', 'Stuck over 5 min'])} />
              <Among
                of={list}
                by="cinema_id"
                label={say(['影院', 'Cinema'])}
                find={calls.cinemas}
                labelOf={row => row.name}
              />
              <Choice
                of={list}
                by="provider"
                label={say(['渠道', 'Provider'])}
                words={ticketProviders}
              />
              <CityFilter of={list} />
              <MallFilter of={list} />
              <Period
                of={list}
                from="show_from"
                to="show_to"
                most={PERIOD_DAYS}
                usual={['放映日不限', 'Shown any day']}
              />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一笔影票订单', 'Choose an order'])}>
          {row => <Detail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {told}
    </div>
  )
}
