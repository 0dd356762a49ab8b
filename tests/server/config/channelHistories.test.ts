import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { e_category } from '#src/areas/merchant/merchant.table.ts'
import { page_scheme, page_version } from '#src/areas/scheme/scheme.table.ts'
import { categoryHome as calls } from '#src/modules/config/contract/categoryHome.ts'
import { eCategoryConfig } from '#src/modules/config/contract/eCategoryConfig.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp } from '../../help/app.ts'
import { designing, freshChannel, freshCity, heading, selling } from '../../help/designed.ts'

type Step =
  | { do: 'save' | 'fallback'; words: string }
  | { do: 'publish' | 'unpublish' | 'discard' | 'hide' | 'show' | 'noFallback' }
  | { do: 'rollback'; no: number }
const words = fc.constantFrom('一', '二', '三').map(of => `历史${of}`)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('save' as const, 'fallback' as const), words }),
  fc.record({
    do: fc.constantFrom(
      'publish' as const,
      'unpublish' as const,
      'discard' as const,
      'hide' as const,
      'show' as const,
      'noFallback' as const,
    ),
  }),
  fc.record({ do: fc.constant('rollback' as const), no: fc.integer({ min: 1, max: 4 }) }),
)
/** What consumers and the designer should see; the rules of the page, told once more in short. */
type Model = {
  draft: string | undefined
  live: string | undefined
  fallback: string | undefined
  versions: string[]
  isShown: boolean
}
const models: Readonly<Record<Step['do'], (was: Model, by: Step) => Model | undefined>> = {
  save: (was, by) => ({ ...was, draft: (by as { words: string }).words }),
  fallback: (was, by) => {
    const { words: next } = by as { words: string }
    return was.fallback === next ? undefined : { ...was, fallback: next }
  },
  noFallback: was => (was.fallback === undefined ? undefined : { ...was, fallback: undefined }),
  publish: was =>
    was.draft === undefined || was.draft === was.live || !was.isShown
      ? undefined
      : { ...was, live: was.draft, draft: undefined, versions: [...was.versions, was.draft] },
  unpublish: was => (was.live === undefined ? undefined : { ...was, live: undefined }),
  discard: was => (was.draft === undefined ? undefined : { ...was, draft: undefined }),
  hide: was => (was.isShown ? { ...was, isShown: false } : undefined),
  show: was => (was.isShown ? undefined : { ...was, isShown: true }),
  rollback: (was, by) => {
    const to = was.versions[(by as { no: number }).no - 1]
    return to === undefined || to === was.live || !was.isShown
      ? undefined
      : { ...was, live: to, versions: [...was.versions, to] }
  },
}

it('whatever is done to a channel, consumers see what is live of it, else the default', async () => {
  const database = await openCopy()
  const app = await openApp(database)
  const page = designing(app, calls, (await addStaff(database, { perms: ['*'] })).token)
  const templates = new Map<string, number>()
  for (const of of ['历史一', '历史二', '历史三']) {
    const { id } = await page.done(calls.saveAsTemplate, { name: of, blocks: [heading(of)] })
    templates.set(of, id)
  }
  const apply = async (key: { city_id: number; category_id: number }, by: Step) => {
    const { id, version } = await page.done(calls.detail, key)
    const [category] = await database.db
      .select()
      .from(e_category)
      .where(eq(e_category.id, key.category_id))
    const at = { id: key.category_id, version: category!.version }
    const one = { id: id || 2_000_000_000, version }
    switch (by.do) {
      case 'save':
        return page.call(calls.save, { ...key, version, blocks: [heading(by.words)] })
      case 'fallback':
        return page.call(calls.setFallback, { template_id: templates.get(by.words) })
      case 'noFallback':
        return page.call(calls.setFallback, {})
      case 'publish':
        return page.call(calls.publish, { ...one, note: '历史' })
      case 'rollback':
        return page.call(calls.rollback, { ...one, no: by.no, reason: '历史' })
      case 'hide':
        return page.call(eCategoryConfig.hide, { ...at, searchable: false, reason: '历史' })
      case 'show':
        return page.call(eCategoryConfig.show, at)
      default:
        return page.call(calls[by.do], { ...one, ...(by.do === 'unpublish' && { reason: '历史' }) })
    }
  }
  let fallback: string | undefined
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async steps => {
      const key = {
        city_id: await freshCity(database),
        category_id: await freshChannel(database),
      }
      await selling(database, key)
      let model: Model = {
        draft: undefined,
        live: undefined,
        fallback,
        versions: [],
        isShown: true,
      }
      for (const by of steps) {
        const next = models[by.do](model, by)
        const said = await apply(key, by)
        expect([by.do, said.status === 200], said.message).toEqual([by.do, next !== undefined])
        model = next ?? model
        fallback = model.fallback
        const { statusCode, body } = await page.open(
          `/p/categoryHome/${key.city_id}/${key.category_id}`,
        )
        expect(statusCode).toBe(model.isShown ? 200 : 404)
        const seen = /<section><h2>(历史.)/.exec(body)?.[1]
        if (model.isShown) expect(seen).toBe(model.live ?? model.fallback)
        const now = await page.done(calls.detail, key)
        expect(now.versions.length).toBe(model.versions.length)
      }
      const mine = eq(page_scheme.category_id, key.category_id)
      expect(await database.db.$count(page_scheme, mine)).toBeLessThanOrEqual(1)
    }),
    { numRuns: 12, endOnFailure: true },
  )
  expect(await database.db.$count(page_version)).toBeGreaterThan(0)
}, 120_000)
