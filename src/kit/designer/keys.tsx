import { HTMLSelect } from '@blueprintjs/core'
import { useLocation, useSearch } from 'wouter'
import { pageType, type PageType } from '#src/areas/scheme/blocks.ts'
import { keyFrom, keyParts, type KeyPart, type PageKey } from '#src/areas/scheme/pageKey.ts'
import type { Choice, DesignerCalls } from '#src/contract/designer.ts'
import { skipToken, useRead } from '../data.ts'
import { useSay } from '../text.ts'

const titles = {
  city_id: ['城市', 'City'],
  category_id: ['频道', 'Channel'],
  brand_id: ['品牌', 'Brand'],
} as const satisfies Readonly<Record<KeyPart, readonly [string, string]>>
const MOST = 200

/** The parts of a key that the address names; 0 for the others. */
const useAsked = (): PageKey => {
  const search = new URLSearchParams(useSearch())
  const numbers = keyParts.map(part => Number(search.get(part)) || 0)
  return keyFrom(keyParts, numbers)
}
/** What a designer opens with: the first that has a page, else the first. */
const firstOf = (list: readonly Choice[]): number =>
  (list.find(one => one.live_no !== null || one.has_draft) ?? list[0])?.id ?? 0
/** What may be chosen for one part of a key, and what is chosen: as asked, else the first. */
const usePart = (
  calls: DesignerCalls,
  part: KeyPart,
  { asked, given }: { asked: number; given: Partial<PageKey> | undefined },
) => {
  const { currentData, data, error, refetch } = useRead(
    calls.lst,
    given ? { part, pageSize: MOST, ...given } : skipToken,
  )
  const answer = currentData ?? data
  if (!given) return { part, id: 0, list: [], ready: true, error: undefined, refetch }
  const list: readonly Choice[] = answer?.list ?? []
  const isKnown = list.some(one => one.id === asked) || (answer?.total ?? 0) > list.length
  const chosen = asked > 0 && isKnown ? asked : 0
  return {
    part,
    id: asked > 0 ? chosen : firstOf(list),
    list,
    ready: answer !== undefined,
    error: answer ? undefined : error,
    refetch,
  }
}
/** Which page is designed: each part of its key offers what the parts before leave. */
export const usePageKey = (type: PageType, calls: DesignerCalls) => {
  const { of } = pageType(type)
  const asked = useAsked()
  const has = (part: KeyPart) => of.includes(part)
  const city = usePart(calls, 'city_id', {
    asked: asked.city_id,
    given: has('city_id') ? {} : undefined,
  })
  const inCity = city.id > 0 || !has('city_id')
  const category = usePart(calls, 'category_id', {
    asked: asked.category_id,
    given: has('category_id') && inCity ? { city_id: city.id } : undefined,
  })
  const inCategory = inCity && (category.id > 0 || !has('category_id'))
  const brand = usePart(calls, 'brand_id', {
    asked: asked.brand_id,
    given:
      has('brand_id') && inCategory ? { city_id: city.id, category_id: category.id } : undefined,
  })
  const parts = [city, category, brand].filter(({ part }) => has(part))
  const key = { city_id: city.id, category_id: category.id, brand_id: brand.id }
  return {
    parts,
    key: parts.every(({ id }) => id > 0) ? key : undefined,
    ready: parts.every(({ ready }) => ready),
    failed: parts.find(({ error }) => error),
  }
}
export type KeyPicks = ReturnType<typeof usePageKey>
/** Opens the page of another key; parts behind the one that was chosen begin anew. */
export const useGoTo = () => {
  const [, navigate] = useLocation()
  return (of: Partial<PageKey>) =>
    navigate(
      `?${new URLSearchParams(Object.entries(of).map(([part, id]) => [part, String(id)]))}`,
      {
        replace: true,
      },
    )
}

/** Chooses the city, the category and the brand of a page; `name` is what the page in sight is called. */
export const KeyPicker = ({ of: { parts }, name }: { of: KeyPicks; name: string }) => {
  const say = useSay()
  const go = useGoTo()
  return (
    <>
      {parts.map(({ part, id, list }, at) => (
        <HTMLSelect
          key={part}
          aria-label={say(titles[part])}
          value={id || ''}
          onChange={event =>
            go({
              ...Object.fromEntries(parts.slice(0, at).map(one => [one.part, one.id])),
              [part]: Number(event.target.value),
            })
          }
          options={[
            ...(id
              ? []
              : [
                  {
                    value: '',
                    label: say(['选择{of}', 'Choose: {of}'], { of: say(titles[part]) }),
                  },
                ]),
            ...(id && !list.some(one => one.id === id)
              ? [{ value: id, label: name || `#${id}` }]
              : []),
            ...list.map(one => ({
              value: one.id,
              label: `${one.name}${one.has_draft ? say([' · 有草稿', ' · draft']) : ''}`,
            })),
          ]}
        />
      ))}
    </>
  )
}
