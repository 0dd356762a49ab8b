import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { calledOf, type Action, type Page } from '#commands/command.ts'
import { historyFrom } from '#commands/contents.ts'
import { actions, all, modules, pages, screens } from '#commands/index.ts'
import { share } from '#commands/pages/system.ts'
import { roleActions } from '#commands/system/people.ts'
import { takenBack } from '#commands/undo.ts'
import { objects } from '#src/areas/log/objects.ts'
import type { Call, Calls } from '#src/contract/call.ts'
import { clashes, parse, strokesOf } from '#src/shell/keys/strokes.ts'

const isGlobal = (action: Action) => action.id.startsWith('workbench.')
const isList = (action: Action) => action.id.startsWith('list.')
const twice = (values: readonly string[]) =>
  values.filter((value, i) => values.indexOf(value) !== i)
const of = (page: Page) =>
  actions.filter(
    action =>
      !isGlobal(action) && !isList(action) && (action.at === page || action.also?.includes(page)),
  )

test('the registry was seen', () => {
  expect(pages.length).toBeGreaterThanOrEqual(6)
  expect(actions.length).toBeGreaterThan(60)
  expect(actions.filter(isGlobal).length).toBeGreaterThan(30)
  expect(actions.filter(isList).length).toBeGreaterThan(10)
})
test('ids and paths are unique, also when letter case is forgotten', () => {
  expect(
    twice([...actions, ...screens.filter(one => one.kind === 'action')].map(action => action.id)),
  ).toEqual([])
  expect(twice(pages.map(page => page.path.toLowerCase()))).toEqual([])
  expect(twice(modules.map(module => module.key))).toEqual([])
})
test('everything has a title in both languages', () => {
  for (const { title, en } of [...screens, ...all]) {
    expect(title).toMatch(/\p{Script=Han}/u)
    expect(en).toMatch(/^[A-Z][^\p{Script=Han}]*$/u)
  }
})
/** Their rows have a title that their schema, which several lists share, does not say. */
const titledRows = ['order.rollBuy.forceSuccess', 'order.rollBuy.endReward']
/** There is one of them only, and its question names nothing. */
const onlyOne = ['audit.look.figures.setRates']
test('a question names the row that it is of, and never by its number', () => {
  const plain = ['title', 'name', 'order_no']
  const fieldsOf = ({ on }: Action) =>
    Object.keys((on as { shape?: object } | undefined)?.shape ?? {})
  const nameless = actions.filter(
    action =>
      (action.asks ?? action.danger ?? action.tells) &&
      fieldsOf(action).length > 0 &&
      !fieldsOf(action).some(field => plain.includes(field)) &&
      !calledOf(action),
  )
  const firsts = new Map(nameless.toReversed().map(action => [action.on, action.id]))
  expect([...firsts.values()].toSorted()).toEqual([...titledRows, ...onlyOne].toSorted())
})
const isRateSaid = (words: string) => /%|％|百分|万分|_bp\b/.test(words)
/** These are kept in whole percent. */
const wholePercent = ['config.goodiesSwitch.turnOn', 'config.goodiesSwitch.setPercent']
test('a rate is asked with two decimals, for it is kept in basis points', () => {
  const rates = actions.flatMap(action =>
    Object.entries(action.asks ?? {}).flatMap(([name, ask]) =>
      ask.kind === 'number' && isRateSaid(`${name} ${ask.field ?? ''} ${ask.label.join(' ')}`)
        ? [{ id: action.id, places: ask.places }]
        : [],
    ),
  )
  expect(rates.length).toBeGreaterThan(20)
  expect(rates.filter(one => one.places !== 2).map(one => one.id)).toEqual(wholePercent)
})
test('a rate of a page form is asked so too', () => {
  const files = readdirSync('src/modules', { recursive: true, encoding: 'utf8' })
    .filter(file => /\/(parts|pages)\/.*\.tsx?$/.test(file))
    .map(file => join('src/modules', file))
  const asked = files.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/ask\.number\(\{.*?\n\s*\}\)/gs)].flatMap(([words]) =>
      isRateSaid(words) ? [{ file, whole: !/places: 2|inPercent/.test(words) }] : [],
    ),
  )
  expect(asked.length).toBeGreaterThan(3)
  expect(asked.filter(one => one.whole).map(one => one.file)).toEqual([])
})
test('titles tell pages apart, and actions of one page', () => {
  expect(twice(pages.map(page => page.title))).toEqual([])
  expect(twice(pages.map(page => page.en))).toEqual([])
  for (const page of pages)
    expect([page.path, ...twice(of(page).map(action => action.title))]).toEqual([page.path])
})
test('an id ends with the verb, and begins with the page it is at home on', () => {
  for (const action of actions) expect(action.id).toMatch(/^[a-z]\w*(\.[a-z]\w*)+$/i)
})
test('every action has a home that is a page, and leads to one thing only', () => {
  for (const action of actions) {
    expect(pages).toContain(action.at)
    for (const page of action.also ?? []) expect([...pages, ...screens]).toContain(page)
    expect(Boolean(action.call) && Boolean(action.to), action.id).toBe(false)
  }
})
test('every action has an id, both titles, a permission, a place and rows that it takes, and says what becomes of a mistake', () => {
  for (const action of actions) {
    const { id, title, en, permit, takes, at } = action
    expect(
      [id, title, en, permit, takes, at.path].map(one => typeof one === 'string' && one.length > 0),
      id,
    ).toEqual(Array(6).fill(true))
    // One that takes rows is asked which of them can have it; where all can, nothing is said.
    expect(['none', 'row', 'rows'], id).toContain(takes)
    // Left out here: say in commands/undo.ts what its verb is, or let the action ask first, or give
    // it an undo.
    expect(takenBack(action), `${id} runs at once: is it taken back?`).toBeDefined()
  }
  expect(
    takenBack({
      ...actions.find(action => takenBack(action) === 'again' && action.input)!,
      id: 'a.b.anew',
      danger: false,
      asks: {},
    }),
  ).toBeUndefined()
})
test('what its verb says has an opposite has one in its module, or undoes it by itself', () => {
  const verbs = (page: Page) =>
    actions
      .filter(action => action.at.path.split('/')[2] === page.path.split('/')[2])
      .map(action => action.id.slice(action.id.lastIndexOf('.') + 1).toLowerCase())
      .join(' ')
  const missing = actions
    .filter(action => takenBack(action) === 'opposite')
    .filter(action => {
      const verb = action.id.slice(action.id.lastIndexOf('.') + 1).toLowerCase()
      const others = verbs(action.at)
        .split(' ')
        .filter(one => one !== verb)
      const opposites: Record<string, RegExp> = {
        enable: /disable/,
        enablerule: /disablerule/,
        enablereason: /disablereason/,
        pause: /resume/,
        start: /pause/,
        resume: /pause/,
        unlock: /lock/,
        unbanip: /banip/,
        online: /offline/,
        publish: /offline|unpublish|close|suspend|pause/,
        publishreplay: /hidereplay/,
        on: /off/,
        off: /on/,
        show: /hide/,
        hide: /show/,
        pick: /remove/,
        remove: /pick|^add$/,
        add: /^remove$/,
        unpin: /^pin$/,
        settop: /unsettop/,
        unsettop: /^settop$/,
        claim: /unclaim|release/,
        unclaim: /claim/,
        recommend: /unrecommend/,
        unrecommend: /recommend/,
        batchtagstores: /batchuntagstores/,
        batchuntagstores: /batchtagstores/,
        claimorphan: /assign/,
        batchrecommend: /unrecommend/,
        batchunrecommend: /recommend/,
        sethot: /^off$/,
        onshelf: /offshelf/,
        open: /^rest$/,
        link: /unlink/,
        batchlink: /unlink/,
        setrecommend: /cancel/,
        cancelrecommend: /setrecommend/,
        cancel: /recommend/,
        batchcancel: /recommend/,
        clearabnormal: /abnormal/,
        submit: /withdraw/,
        withdraw: /submit/,
        withdrawchange: /submitchange/,
        unhold: /^hold$/,
      }
      return !/^(toggle|setdefault)/.test(verb) && !others.some(one => opposites[verb]?.test(one))
    })
  expect(missing.map(({ id }) => id)).toEqual([])
})

test('a change of a role says how many people it touches before it is done', () => {
  for (const action of [roleActions.setScope, roleActions.setRefundLimit, roleActions.disable])
    expect([action.id, action.tells!([{ member_count: 3 }] as never)]).toEqual([
      action.id,
      [expect.anything(), { n: 3 }],
    ])
})
describe('who changed this', () => {
  const logged = pages.filter(page => page.object)
  test('stands on the pages whose rows the log knows', () => {
    expect(logged.length).toBeGreaterThan(30)
    expect(actions.filter(action => action.id.endsWith('.objectHistory')).length).toBe(
      logged.length + 1,
    )
  })
  test.each(logged.map(page => [page.path, page] as const))(
    'on %s it opens the history of the row, under H',
    (_, page) => {
      const history = historyFrom(page)!
      expect(actions).toContain(history)
      expect([history.key, history.permit, history.takes]).toEqual([
        'h',
        'system.logs.objectHistory',
        'row',
      ])
      const row = { id: 7, mid: 7, store_id: 7, admin_id: 7, city_id: 1, kind: 'hit' }
      const opened = new URL(history.to!([row]), 'http://here')
      expect(opened.pathname).toBe('/manage/system/logs')
      expect([
        opened.searchParams.get('object_id'),
        Object.hasOwn(objects, opened.searchParams.get('object_type')!),
      ]).toEqual(['7', true])
    },
  )
  test('a row that is nothing yet has none', () => {
    expect(historyFrom(share)!.when!({ id: 0 }, { id: 1, can: () => true })).not.toBe(true)
  })
})

describe('permissions', () => {
  const contracts = readdirSync('src/modules', { recursive: true, encoding: 'utf8' })
    .filter(name => /^[^/]+\/contract(\/[\w-]+)?\.ts$/.test(name))
    .map(name => join('src/modules', name))
  const known = async () => {
    const calls: Call[] = []
    for (const file of contracts) {
      const module = (await import(join(process.cwd(), file))) as Record<string, unknown>
      const walk = (value: unknown) => {
        if (typeof value !== 'object' || value === null) return
        if ('permit' in value && 'path' in value) calls.push(value as Call)
        else if (!('_zod' in value)) for (const inner of Object.values(value as Calls)) walk(inner)
      }
      for (const value of Object.values(module)) walk(value)
    }
    return calls
  }
  test('every permission that a command asks for is one that a page or a call defines', async () => {
    const calls = await known()
    expect(calls.length).toBeGreaterThan(40)
    const defined = new Set([
      'signed-in',
      'public',
      ...pages.map(page => page.permit),
      ...calls.map(call => call.permit),
    ])
    expect(actions.filter(action => !defined.has(action.permit)).map(action => action.id)).toEqual(
      [],
    )
  })
  test('every permission of a call can be had: it is open, or some command carries it', async () => {
    const carried = new Set(['signed-in', 'public', ...all.map(command => command.permit)])
    const without = (await known())
      .filter(call => !carried.has(call.permit))
      .map(call => `${call.path} ${call.permit}`)
    // An undo has the permission of its own act where it is not offered as an action.
    const undone = new Set(
      actions.flatMap(({ call }) =>
        call?.kind === 'write' && call.undo ? [call.undo.call().permit] : [],
      ),
    )
    expect(without.filter(line => !undone.has(line.split(' ')[1]!))).toEqual([])
  })
})

describe('keys', () => {
  const taken = (list: readonly { key?: string; keys?: string; id?: string; path?: string }[]) =>
    list.flatMap(one => {
      const keys = one.key ?? one.keys
      return keys ? [{ keys, name: one.id ?? one.path! }] : []
    })
  const everywhere = [...taken(actions.filter(isGlobal)), ...taken(pages)]
  const names = (
    pairs: readonly [{ keys: string; name: string }, { keys: string; name: string }][],
  ) => pairs.map(([a, b]) => `${a.name} (${a.keys}) × ${b.name} (${b.keys})`)
  test.each(pages.map(page => [page.path, page] as const))(
    'none clash on %s, chord prefixes included',
    (_, page) => {
      const here = taken(of(page))
      const perKey = new Set(here.map(({ keys }) => keys))
      // A page that performs its own j and k has no list under them.
      const lists = taken(actions.filter(isList)).filter(
        ({ keys }) => !perKey.has(keys) || page.path !== '/manage/audit/product/detail',
      )
      expect(names(clashes([...everywhere, ...lists, ...here]))).toEqual([])
    },
  )
  test('a clash is found: the same key, a key that begins a sequence, and another spelling of it', () => {
    const pair = (a: string, b: string) => clashes([{ keys: a }, { keys: b }]).length
    expect([
      pair('a', 'a'),
      pair('g', 'g a b'),
      pair('g a', 'g a b'),
      pair('ctrl+shift+a', 'shift+ctrl+a'),
      pair('esc', 'escape'),
    ]).toEqual([1, 1, 1, 1, 1])
    expect([pair('a', 'shift+a'), pair('g a', 'g b'), pair('a', 'g a')]).toEqual([0, 0, 0])
  })
  test('what makes a new one is called 新增, and C makes it', () => {
    const named = actions.filter(
      one => /^新[增建]/.test(one.title) && one.key && !one.id.startsWith('workbench.'),
    )
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter(one => one.title.startsWith('新建')).map(one => one.id)).toEqual([])
    // On the page of the hits C claims one, as in every queue.
    expect(named.filter(one => one.key !== 'c').map(one => `${one.id} ${one.key}`)).toEqual([
      'system.risk.createRule shift+c',
    ])
  })
  test('no key takes what the browser, the system or an input method needs', () => {
    const never = /^(mod\+(t|n|w|l|r|q)|f\d+|mod\+f5|ctrl\+space|shift|alt\+shift.*|tab)$/
    for (const { key } of actions)
      if (key) for (const press of parse(key)) expect(press).not.toMatch(never)
  })
  test('every key can be pressed: a press of it has its name', () => {
    for (const { key, id } of actions) {
      for (const press of key ? parse(key) : []) {
        const parts = press.split(/\+(?=.)/)
        const sign = parts.at(-1)!
        const has = (modifier: string) => parts.includes(modifier)
        const isLetter = /^[a-z]$/.test(sign)
        const digitCode = /^\d$/.test(sign) ? `Digit${sign}` : ''
        const code = isLetter ? `Key${sign.toUpperCase()}` : digitCode
        const shifted = isLetter ? sign.toUpperCase() : sign.replace(/^8$/, '*')
        const made = has('shift') ? shifted : sign
        expect(
          strokesOf({
            key: made,
            code,
            ctrlKey: has('mod'),
            metaKey: false,
            altKey: has('alt'),
            shiftKey: has('shift') || sign === '?',
          }),
          id,
        ).toContain(press)
      }
    }
  })
})

describe('pages and files', () => {
  const root = 'src/modules'
  const walk = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder).flatMap(name => {
          const path = join(folder, name)
          return statSync(path).isDirectory() ? walk(path) : [path]
        })
      : []
  const files = readdirSync(root)
    .flatMap(module => walk(join(root, module, 'pages')))
    .filter(file => file.endsWith('.tsx'))
    .map(file => file.slice(root.length + 1))
  // The same rule as src/shell/pages.ts, which a build tool must read; here said once more by hand.
  const fileOf = (page: Page) =>
    page.file ??
    `${page.path.split('/')[2]}/pages/${page.path
      .split('/')
      .slice(3)
      .map(part => part.replace(/^:(.*)/, '[$1]'))
      .join('/')}.tsx`
  test('every page has its file', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(pages.map(fileOf).filter(file => !files.includes(file))).toEqual([])
  })
  test('every file has its page', () => {
    const wanted = new Set(pages.map(fileOf))
    expect(files.filter(file => !wanted.has(file))).toEqual([])
  })
})
