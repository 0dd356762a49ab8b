import { HTMLSelect } from '@blueprintjs/core'
import { useCallback, useMemo, type ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { to } from '#commands/command.ts'
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
import type { Block } from '#src/areas/mall/recommend.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { say } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { skipToken, useRead, type CallError } from '#src/kit/data.ts'
import { useCities } from '#src/kit/places.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { usePane, useWorkbench } from '#src/kit/workbench.ts'
import { opening } from '../contract/opening.ts'
import './mall.css'

export type Where = { mid: number; city_id: number; name: string }
/**
 * The mall that a board page shows: in the address, else the one of mine that has most of what the
 * board chooses from. `outside` offers each city's lists outside any mall (mid 0) too.
 */
export const usePlace = (
  block: Block,
  outside = false,
): {
  where: Where | undefined
  options: readonly Where[]
  choose: (next: Where) => void
  loading: boolean
} => {
  const now = useLang()
  const search = useSearch()
  const [, navigate] = useLocation()
  const asked = new URLSearchParams(search)
  const mid = asked.get('mid')
  const city = asked.get('city_id')
  const first = useRead(opening.mall, mid === null ? { block } : skipToken)
  const wanted = mid === null ? first.data?.mid : Number(mid)
  const malls = useRead(mallPicker, wanted ? { include: [wanted] } : {})
  const cities = useCities()
  const options = useMemo(
    () => [
      ...(malls.data?.list ?? []).map((row): Where => ({
        mid: row.mid,
        city_id: row.city_id,
        name: `${row.name} · ${row.city_name}`,
      })),
      ...(outside
        ? (cities.data ?? []).map((row): Where => ({
            mid: 0,
            city_id: row.id,
            name: say(['商场外 · {city}', 'Outside malls · {city}'], now, { city: row.city_name }),
          }))
        : []),
    ],
    [malls.data, cities.data, outside, now],
  )
  const waiting = mid === null && first.data === undefined && first.error === undefined
  const where =
    options.find(one =>
      mid === null
        ? one.mid === first.data?.mid
        : String(one.mid) === mid && (one.mid > 0 || city === null || String(one.city_id) === city),
    ) ?? (mid === null && !waiting ? (options.find(one => one.mid > 0) ?? options[0]) : undefined)
  const choose = useCallback(
    (next: Where) =>
      navigate(
        `?${new URLSearchParams({ mid: String(next.mid), ...(next.mid === 0 ? { city_id: String(next.city_id) } : {}) })}`,
        { replace: true },
      ),
    [navigate],
  )
  return {
    where,
    options,
    choose,
    loading: waiting || (malls.data === undefined && malls.error === undefined),
  }
}
const boards = [floors, categories, hot, shops, groups, vouchers, coupons, featured] as const

/** Which mall, and the other boards of the same one. */
export const PlaceBar = ({
  of,
  children,
}: {
  of: ReturnType<typeof usePlace>
  children?: ReactNode
}) => {
  const say = useSay()
  const now = useLang()
  const { me, pageAt } = useWorkbench()
  const [at] = useLocation()
  const pane = usePane()
  const here = pageAt(at)
  return (
    <div className="m-filters" role="search" data-pane-of={pane.id}>
      <HTMLSelect
        aria-label={say(['商场', 'Mall'])}
        value={of.where ? `${of.where.mid}/${of.where.city_id}` : ''}
        onChange={event => {
          const next = of.options.find(one => `${one.mid}/${one.city_id}` === event.target.value)
          if (next) of.choose(next)
        }}
        options={[
          ...(of.where ? [] : [{ value: '', label: say(['请选择商场', 'Choose a mall']) }]),
          ...of.options.map(one => ({ value: `${one.mid}/${one.city_id}`, label: one.name })),
        ]}
      />
      {children}
      <span className="ml-fill" />
      {of.where && of.where.mid > 0 && (
        <nav
          className="ml-boards"
          aria-label={say(['这个商场的其他页面', 'Other pages of this mall'])}
        >
          {boards
            .filter(page => page !== here && me.can(page.permit))
            .map(page => (
              <Link key={page.path} href={to(page, { mid: of.where!.mid })}>
                {titleIn(page, now)}
              </Link>
            ))}
          {me.can(mallForm.permit) && (
            <Link href={to(mallForm, { mid: of.where.mid })}>{titleIn(mallForm, now)}</Link>
          )}
        </nav>
      )}
    </div>
  )
}

/** A list tells who changed it last, and when. */
export const lastChange = (
  of: { theirs: { name: string; at: number } | null } | undefined,
): string | undefined =>
  of?.theirs ? `${of.theirs.name} ${timeFull(of.theirs.at).slice(5, 16)}` : undefined
/** What is shown of the mall in front; before it is known or read, why there is nothing. */
export const InMall = ({
  of: { where, loading },
  read: { data, error, refetch },
  lines = 6,
  advice,
  children,
}: {
  of: ReturnType<typeof usePlace>
  read: { data: unknown; error: CallError | undefined; refetch: () => void }
  lines?: number
  advice?: string
  children: (where: Where) => ReactNode
}) => {
  const say = useSay()
  if (!where)
    return loading ? (
      <Loading lines={lines} />
    ) : (
      <Empty title={say(['没有可管理的商场', 'No mall to manage'])}>
        {advice && <p>{advice}</p>}
      </Empty>
    )
  return error && !data ? <Failed error={error} retry={refetch} /> : children(where)
}
