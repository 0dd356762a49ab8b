import type { z } from 'zod'
import type { Call, Read, Schema } from '#src/contract/call.ts'
import type { RegionLevel } from '#src/contract/regions.ts'
import type { AttachedKind } from '#src/domain/attached.ts'
import type { Text, Lang } from '#src/domain/text.ts'

type Params<P extends string> = P extends `${string}:${infer K}/${infer R}`
  ? K | Params<`/${R}`>
  : P extends `${string}:${infer K}`
    ? K
    : never

export type Page<P extends string = string, S = any> = {
  kind: 'page'
  path: P
  title: string
  en: string
  /** Stands in the sidebar. */
  menu: boolean
  /** The path of the page that it belongs to, where its own path does not begin with that. */
  under?: string
  /** The pane keeps it when another page is opened in it. */
  keepAlive: boolean
  /** A sequence that opens it, such as `g a b`. */
  keys?: string
  /** Drawn by the shell outside the panes: it has no file, and no palette entry. */
  screen?: boolean
  /** What opens it: a permission key, or `signed-in`. */
  permit: string
  /** Query parameters it can't do without. */
  search?: z.ZodType<any, S>
  /** Other words by which the palette finds it. */
  alias?: readonly string[]
  /**
   * Grows with every declaration: a module's names come sorted by the alphabet, its pages and
   * actions by this.
   */
  order: number
  /** The page file when it is not the path's own (one form for add, edit and copy). */
  file?: string
  /**
   * What its rows are in the operation log (areas/log/objects.ts): "who changed this" comes from it,
   * as an action of the page and at the fields of its forms.
   */
  object?: string | ((row: any) => Logged | undefined)
  /**
   * With which parameters the page shows a row that has the focus in a pane linked to its own, ''
   * for one that goes; undefined where it shows nothing of it.
   */
  follows?: (given: Given) => Record<string, string | number> | undefined
}
/** An object of the operation log: its type and its id there. */
type Logged = readonly [object_type: string, object_id: number]
/** A row that linked panes are told of: what it is in the operation log, and itself. */
export type Given = { type: string; id: number; row: Readonly<Record<string, unknown>> }
/** What a row of a page is in the operation log; undefined for one that is nothing there. */
export const loggedAs = ({ object }: Page, row: { id: number }): Logged | undefined => {
  if (typeof object !== 'string') return object?.(row)
  return row.id ? [object, row.id] : undefined
}
/**
 * What a row belongs to beside being itself: linked panes follow it from row to row, whatever kind
 * of row it is.
 */
export type Context = 'store_id' | 'member_id' | 'city_id' | 'mid'
const contextTypes: Readonly<Record<Context, string>> = {
  store_id: 'store',
  member_id: 'member',
  city_id: 'city',
  mid: 'mall',
}
/**
 * For a page with a filter of that name: beside any list it shows what is of the store, member,
 * city or mall of the row in focus there. Its other filters stay.
 */
export const followsBy =
  (name: Context) =>
  ({ type, id, row }: Given): Record<string, number> | undefined => {
    const value = type === contextTypes[name] ? id : row[name]
    return typeof value === 'number' && value > 0 ? { [name]: value } : undefined
  }
/** The signs that a module's entry in the sidebar may have. */
type SectionIcon =
  | 'home'
  | 'check'
  | 'order'
  | 'shop'
  | 'setup'
  | 'people'
  | 'chart'
  | 'gift'
  | 'money'
  | 'film'
  | 'file'
/** A module as the sidebar shows it. */
export type Section = {
  /** The folder of its commands, of its module and of its addresses. */
  key: string
  title: string
  en: string
  /** Where it stands among the others: the smaller number comes first. */
  place: number
  /** The page below its root that the root opens; its first page unless said otherwise. */
  opens?: string
  /** Its sign in the sidebar. */
  icon?: SectionIcon
  /** What sets the house up stands behind the day's work. */
  setup?: true
}
type PageMore<S> = Partial<
  Pick<
    Page,
    | 'menu'
    | 'under'
    | 'keepAlive'
    | 'keys'
    | 'permit'
    | 'alias'
    | 'file'
    | 'screen'
    | 'object'
    | 'follows'
  >
> & { search?: z.ZodType<any, S> }

/**
 * `/manage/audit/product/detail` → `audit.product.detail`, the stem of its permission keys;
 * `/ecoupon/index` → `ecoupon.index`.
 */
export const stemOf = (path: string): string =>
  path.replace(/^\/(?:manage(?:\/|$))?/, '').replace(/\/:?/g, '.') || 'home'

let declared = 0
/** Declares a page. Its permission is `<module>.<page>.view` unless said otherwise. */
export const page = <const P extends string, S = never>(
  path: P,
  title: string,
  en: string,
  more: PageMore<S> = {},
): Page<P, S> => ({
  kind: 'page',
  path,
  title,
  en,
  menu: true,
  keepAlive: false,
  permit: `${stemOf(path)}.view`,
  order: ++declared,
  ...more,
})

type Label<T> = {
  label: Text
  /** May be left empty; `in-draft` until it is submitted, which its form says. */
  optional?: boolean | 'in-draft'
  initial?: (rows: readonly any[]) => T | undefined
  /** A line below the question: the unit, the rule, an example. */
  hint?: Text
  /** Asked only while this holds of the other answers, and of the rows. */
  shown?: (answers: any, rows: readonly any[]) => boolean
  /** The field of the operation log that it sets, where it is called otherwise. */
  field?: string
  /**
   * A rule of the trade beyond the kind's own: what is wrong and how to mend it. It hears of every
   * value that is there.
   */
  check?(value: T, answers: any): Text | undefined
}
/**
 * A text that names a place in China: down to its district or its city, or, of the city whose code
 * `within` answers, the name of a district.
 */
type Regions = {
  level: RegionLevel
  within?: (answers: Readonly<Record<string, unknown>>) => string | undefined
}
type Finding = {
  /**
   * Takes `{ keyword, page, pageSize }` and what `given` adds, such as the city whose malls are
   * meant.
   */
  find: Read
  labelOf: (row: any, lang: Lang) => string
  /**
   * By what typing finds it, where that is more than a name (or its pinyin, `latin` of the read).
   */
  by?: Text
  given?: (rows: readonly any[], answers: any) => object
  /** Why there is nothing to choose from, where that may be. */
  none?: Text
  /** The field that is the answer; `id` unless said otherwise. */
  key?: string
}
/** What finds a person. */
export const byAccount: Text = ['姓名、账号或拼音', 'name, account or pinyin']
/**
 * One question of an action. The dialog, the palette's steps, the one-line form and page forms all
 * read it.
 */
export type Ask<T = any> = Label<T> &
  (
    | { kind: 'text'; max: number; min?: number; lines?: number; wide?: number; region?: Regions }
    /**
     * `top` answers the codes in the order of their digits; `phrases` are sentences to choose from,
     * by code; `filled` is what becomes of words with variables in them.
     */
    | {
        kind: 'reason'
        codes: Readonly<Record<string, Text>>
        top?: Read<object, object, { codes: string[] }>
        /** Where the reasons come from, once they were read; until then those of `codes`. */
        from?: Read<object, object, { list: { code: string; text: string }[] }>
        several?: boolean
        phrases?: Readonly<Record<string, readonly Text[]>>
        filled?: (text: string, row: any) => string
        /** The code alone may do, where the server knows more of why. */
        wordless?: boolean
      }
    | { kind: 'money'; min?: number; max?: number }
    /** A whole number, or with `places` one of at most two decimals, such as a percentage. */
    | { kind: 'number'; min: number; max: number; places?: 2 }
    | { kind: 'time' }
    | { kind: 'flag' }
    | { kind: 'choice'; options: Readonly<Record<string, Text>> }
    | { kind: 'choices'; options: Readonly<Record<string, Text>> }
    | { kind: 'marks'; fields: Readonly<Record<string, Text>> }
    | { kind: 'order'; pictures?: boolean }
    | {
        kind: 'images'
        max: number
        ratio?: readonly [number, number]
        maxBytes?: number
        /** A file of another kind than a picture. */
        takes?: AttachedKind
      }
    | ({ kind: 'entity'; named?: (rows: readonly any[]) => string | Text | undefined } & Finding)
    | ({
        kind: 'entities'
        max: number
        named?: (rows: readonly any[]) => Readonly<Record<number, string>> | undefined
      } & Finding)
  ) & { [answered]?: T }
declare const answered: unique symbol

export type Reasoned = { code: string; text: string; more?: readonly string[] }
/**
 * The questions, one function a kind; each says what the answer is. Money in cents, time in unix
 * seconds.
 */
export const ask = {
  /**
   * `max` UTF-16 units; `wide` instead counts a double-byte character as 2 and cuts what is typed
   * beyond it. With `region` it is chosen from the table of divisions.
   */
  text: (
    of: Label<string> & {
      max: number
      min?: number
      lines?: number
      wide?: number
      region?: Regions
    },
  ): Ask<string> => ({ kind: 'text', ...of }),
  /** A code (digits 1–9 choose) and words; with `several` further codes too. */
  reason: (
    of: Label<Reasoned> &
      Pick<
        Extract<Ask, { kind: 'reason' }>,
        'codes' | 'top' | 'from' | 'several' | 'phrases' | 'filled' | 'wordless'
      >,
  ): Ask<Reasoned> => ({ kind: 'reason', ...of }),
  money: (of: Label<number> & { min?: number; max?: number }): Ask<number> => ({
    kind: 'money',
    ...of,
  }),
  number: (of: Label<number> & { min: number; max: number; places?: 2 }): Ask<number> => ({
    kind: 'number',
    ...of,
  }),
  time: (of: Label<number>): Ask<number | undefined> => ({ kind: 'time', ...of }),
  /** Yes or no; never empty. */
  flag: (of: Label<boolean>): Ask<boolean> => ({ kind: 'flag', ...of }),
  choice: <const O extends Readonly<Record<string, Text>>>(
    of: Label<`${keyof O & (string | number)}`> & { options: O },
  ): Ask<`${keyof O & (string | number)}`> => ({ kind: 'choice', ...of }),
  /** Any number of the options. */
  choices: (of: Label<string[]> & { options: Readonly<Record<string, Text>> }): Ask<string[]> => ({
    kind: 'choices',
    ...of,
  }),
  /** Remarks at fields: the keys marked, each with a comment. */
  marks: (
    of: Label<Record<string, string>> & { fields: Readonly<Record<string, Text>> },
  ): Ask<Record<string, string>> => ({ kind: 'marks', ...of }),
  /** A permutation of the initial entries, shown as pictures where they are some. */
  order: (of: Label<string[]> & { pictures?: boolean }): Ask<string[]> => ({
    kind: 'order',
    ...of,
  }),
  /**
   * Keys of uploaded pictures, at most `max`; `ratio` (width to height) and `maxBytes` are checked
   * before the upload. With `takes` they are keys of videos or files.
   */
  images: (
    of: Label<string[]> &
      Pick<Extract<Ask, { kind: 'images' }>, 'max' | 'ratio' | 'maxBytes' | 'takes'>,
  ): Ask<string[]> => ({ kind: 'images', ...of }),
  /** The id of a row that `find` lists. `named` is what the initial row is called. */
  entity: (
    of: Label<number> & Finding & { named?: (rows: readonly any[]) => string | Text | undefined },
  ): Ask<number> => ({ kind: 'entity', ...of }),
  /** The ids of several rows, in the order they were chosen. */
  entities: (
    of: Label<number[]> &
      Finding & {
        max: number
        named?: (rows: readonly any[]) => Readonly<Record<number, string>> | undefined
      },
  ): Ask<number[]> => ({ kind: 'entities', ...of }),
}
export type Asks = Readonly<Record<string, Ask>>
/** What was answered to some questions. */
export type Asked<A> = { [K in keyof A]: A[K] extends Ask<infer T> ? T : never }

/** Money that leaves: whether it is just that sum or that at most, and what it is made of. */
export type Pays = {
  exactly: boolean
  /** What one row is paid for: its order, who gets it, what it is made of, as label and value. */
  facts: readonly (readonly [label: Text, value: string])[]
}
/** A line with its values, and how much money it is about, where it is. */
export type Told = readonly [
  text: Text,
  values: Readonly<Record<string, string | number>>,
  cents?: number,
  pays?: Pays,
]
/** Says before an action on several rows that can't be taken back how many it would be. */
export const inAll = (rows: readonly unknown[]): Told | undefined =>
  rows.length > 1 ? [['将对 {n} 项执行', 'It is done to {n}'], { n: rows.length }] : undefined

/**
 * What becomes of a mistake: `nothing` changed; `undo` takes it back; it was `asked` before
 * anything was done; the page's own `form` saves, and saves again; an `opposite` action stands
 * beside it; done `again` it only sends, fetches or makes the same once more; or it stands
 * (`final`).
 */
export type TakenBack = 'nothing' | 'undo' | 'asked' | 'form' | 'opposite' | 'again' | 'final'

/** The person who asks, for `when`. */
export type Me = { id: number; can: (permit: string) => boolean }

export type Action<Row = any, S = any, R = any> = {
  kind: 'action'
  /** Module, page and verb of the page map: `audit.bulks.approve`. */
  id: string
  title: string
  en: string
  /** A key or a sequence, in react-hotkeys-hook's words (`a`, `shift+a`, `g n`). */
  key?: string
  danger?: boolean
  /** Its home page, and further pages that offer it. */
  at: Page
  also?: readonly Page[]
  permit: string
  /** How many rows it takes: none, one, or one and more (`rows`). */
  takes: 'none' | 'row' | 'rows'
  /** The schema of the rows it takes: actions that have it in common act on the same ones. */
  on?: unknown
  /** True, or why this row can't have it now. */
  when?: (row: Row, me: Me) => true | Text
  /** True, or why this person can't have it at all, where several rights would do. */
  offered?: (me: Me) => true | Text
  asks?: Asks
  /**
   * What it will come to for these rows, such as the amount that is paid back: said above its
   * questions, before anything is done.
   */
  tells?: (rows: readonly Row[]) => Told | undefined
  /** What it is done to, where that is another thing than its row, such as the version of a rule. */
  subject?: (row: Row) => Text | string
  call?: Call<S, any, R>
  input?: (rows: readonly Row[], asked: any) => S
  /** Where it leads, for an action that only opens something. */
  to?: (rows: readonly Row[]) => string
  alias?: readonly string[]
  /**
   * The most rows that its call takes; more are sent in several calls, their results told as one.
   */
  most?: number
  /** The fewest rows that it makes sense for, where one is too few. */
  least?: number
  /**
   * A main action of its page: a button, not only an entry of its menu. The first that can be had is
   * the page's blue one; one that is 'plain' never is.
   */
  main?: boolean | 'plain'
  /**
   * What becomes of a mistake with one that runs at once, where its verb does not tell (undo.ts).
   */
  takenBack?: TakenBack
  /**
   * The action of the real page that it practises: whoever chose other keys for that one practises
   * with them.
   */
  practises?: Action
  order: number
}
/** All that an action says of itself. */
export type ActionOf<Row, S, A extends Asks> = {
  title: string
  en: string
  key?: string
  danger?: boolean
  at: Page
  also?: readonly Page[]
  permit?: string
  on?: Schema<any, Row>
  takes?: 'none' | 'row' | 'rows'
  when?: (row: NoInfer<Row>, me: Me) => true | Text
  offered?: (me: Me) => true | Text
  asks?: A
  tells?: (rows: readonly NoInfer<Row>[]) => Told | undefined
  subject?: (row: NoInfer<Row>) => Text | string
  input?: (rows: readonly NoInfer<Row>[], asked: Asked<A>) => NoInfer<S>
  to?: (rows: readonly NoInfer<Row>[]) => string
  alias?: readonly string[]
  most?: number
  least?: number
  main?: boolean | 'plain'
  takenBack?: TakenBack
  practises?: Action
}

/**
 * Declares an action: of a call (its id is the call's permission, or its path where anyone signed
 * in may), or, by an id alone, one that opens a page (`to`) or that its page performs
 * (`useAction`). `on` is the schema of the rows it takes; without it, it takes none. An action
 * without a call needs only the page's own permission.
 */
export const action = <S = any, R = any, Row = any, const A extends Asks = {}>(
  does: Call<S, any, R> | string,
  of: ActionOf<Row, S, A>,
): Action<Row, S, R> => {
  const own =
    typeof does === 'string'
      ? { id: does, permit: of.at.permit }
      : {
          id: does.permit === 'signed-in' ? does.path.replaceAll('/', '.') : does.permit,
          permit: does.permit,
          call: does,
        }
  return {
    kind: 'action',
    takes: of.on ? 'rows' : 'none',
    order: ++declared,
    ...own,
    ...of,
  } as Action<Row, S, R>
}

const callings = new Map<unknown, (row: any) => Text | string | undefined>()
/**
 * Says what rows of a schema are called in a question: those without a title, a name or an order.
 */
export const called = <Row>(
  on: Schema<any, Row>,
  name: (row: NoInfer<Row>) => Text | string | undefined,
): void => void callings.set(on, name)
/**
 * What a row of an action is called; undefined where neither it nor its schema has a name for it.
 */
export const calledOf = ({
  on,
  subject,
}: Action): ((row: any) => Text | string | undefined) | undefined => subject ?? callings.get(on)

export type Command = Page | Action

/**
 * How the record is found that pages of one record show: the palette asks for it by words. Exported
 * from a file of the module's commands, it is found there.
 */
export type RecordFinder<Row = any> = {
  kind: 'finder'
  pages: readonly Page[]
  /** Says by what the record is found. */
  hint: Text
  find: Read<any, any, { list: Row[] }>
  /** The input of `find` for what was typed; undefined while that says too little. */
  asked: (words: string) => object | undefined
  /** What a row is, as the pages follow it, and what it is called. */
  given: (row: Row) => Given
  title: (row: Row, lang: Lang) => string
  more?: (row: Row) => Text
  /** The object whose id may be typed by itself. */
  byId?: string
}
const FOUND_MOST = 8
/** The input of a list that is searched by a keyword, for a `recordFinder`. */
export const byKeyword = (words: string) => ({
  keyword: words.slice(0, 32),
  page: 1,
  pageSize: FOUND_MOST,
})
/** Declares how the record of some pages is found. */
export const recordFinder = <Row>(of: {
  pages: readonly Page[]
  hint: Text
  find: Read<any, any, { list: Row[] }>
  asked: RecordFinder['asked']
  given: (row: NoInfer<Row>) => Given
  title: (row: NoInfer<Row>, lang: Lang) => string
  more?: (row: NoInfer<Row>) => Text
  byId?: string
}): RecordFinder<Row> => ({ kind: 'finder', ...of })

type Args<P extends string, S> = [Params<P>] extends [never]
  ? [S] extends [never]
    ? [search?: Record<string, string | number | undefined>]
    : [search: S]
  : [
      params: Record<Params<P>, string | number>,
      search?: Record<string, string | number | undefined>,
    ]

/** The address of a page, its parameters and search filled in; a missing one does not compile. */
export const to = <P extends string, S>(page: Page<P, S>, ...args: Args<P, S>): string => {
  const given = [...args] as Record<string, string | number | undefined>[]
  const params = page.path.includes(':') ? (given.shift() ?? {}) : {}
  const path = page.path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(params[key])),
  )
  const query = new URLSearchParams(
    Object.entries(given[0] ?? {}).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]])),
  )
  return query.size ? `${path}?${query}` : path
}
