import type { Middleware } from '@reduxjs/toolkit'
import {
  createApi,
  skipToken,
  type BaseQueryApi,
  type BaseQueryFn,
  type SkipToken,
} from '@reduxjs/toolkit/query/react'
import { useEffect, useRef } from 'react'
import { useDispatch } from 'react-redux'
import { urlOf, type Call, type Read, type Write } from '#src/contract/call.ts'
import {
  isSessionCode,
  SERVER_TIME,
  type Envelope,
  type RefusalData,
} from '#src/contract/envelope.ts'
import { toQuery } from '#src/contract/query.ts'
import { learnTime, ownMs } from '#src/domain/clock.ts'
import { say, type Text } from '#src/domain/text.ts'
import { lang } from './text.ts'

/**
 * Why a call failed. `status` is the envelope's, or 0 when no answer came; `permit` is the right that
 * a call without permission needs.
 */
export type CallError = {
  status: number
  message: string
  data?: RefusalData
  lost?: boolean
  permit?: string
}

/**
 * What the client needs of the shell: the token and region to send, and who is told of an error.
 */
export type Session = {
  token: () => string | null
  region: () => string
  ended: (error: CallError) => void
  failed: (error: CallError) => void
  /** Hears with each answer by how many ms the server's clock is ahead of this machine's. */
  timed?: (ahead: number) => void
}
let session: Session = { token: () => null, region: () => 'pro', ended: () => {}, failed: () => {} }
export const connect = (to: Session) => {
  session = to
}

const learnFrom = (response: Response, asked: number) => {
  const server = Number(response.headers.get(SERVER_TIME))
  if (server > 0) session.timed?.(learnTime(asked, ownMs(), server))
}

type Dispatch = (action: any) => any

const TIMEOUT_MS = 20_000
const timedOut: Text = ['请求超时，请重试', 'The request timed out, please retry']
const offline: Text = [
  '网络连接中断，请检查网络后重试',
  'Connection lost, check the network and retry',
]

type SendOptions = {
  /** Makes a write safe to send again. */
  key?: string | undefined
  signal?: AbortSignal | undefined
  /** Lets a call out while the tab is being closed. */
  keepalive?: boolean
}
const headersFor = (call: Call, key: string | undefined): Record<string, string> => {
  const token = session.token()
  return {
    ...(token ? { 'Authori-zation': `Bearer ${token}` } : {}),
    region: session.region(),
    'Accept-Language': lang(),
    ...(key ? { 'Idempotency-Key': key } : {}),
    ...(call.method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
  }
}
const lost = (text: Text): CallError => ({ status: 0, message: say(text, lang()), lost: true })
/** Sends a call and answers its data, or throws a CallError. */
export const send = async (
  call: Call,
  input: unknown,
  { key, signal, keepalive = false }: SendOptions = {},
): Promise<unknown> => {
  const query = call.method === 'GET' ? toQuery(input) : ''
  const asked = ownMs()
  let response: Response
  let body: Envelope | undefined
  try {
    response = await fetch(urlOf(call) + (query && `?${query}`), {
      method: call.method,
      keepalive,
      signal: AbortSignal.any([
        AbortSignal.timeout(call.patience_ms ?? TIMEOUT_MS),
        ...(signal ? [signal] : []),
      ]),
      headers: headersFor(call, key),
      ...(call.method === 'POST' ? { body: JSON.stringify(input ?? {}) } : {}),
    })
    learnFrom(response, asked)
    body = (await response.json().catch(() => undefined)) as Envelope | undefined
  } catch (fault) {
    const late = fault instanceof DOMException && fault.name === 'TimeoutError'
    throw lost(late ? timedOut : offline)
  }
  // A gateway's own 504 page must never be read as success: only a JSON body whose status says so
  // is one.
  if (typeof body?.status !== 'number') throw lost(response.status === 504 ? timedOut : offline)
  if (body.status === 200 || body.status === 504) return body.data
  throw {
    status: body.status,
    message: body.message || body.msg || 'Error',
    data: (body.data ?? undefined) as RefusalData | undefined,
    ...(body.status === 403 ? { permit: call.permit } : {}),
  } satisfies CallError
}

/**
 * What is acted on: these rows of a kind (the schema that says what its rows are), by a call that
 * touches this.
 */
export type Acting = {
  on?: unknown
  rows: readonly number[]
  touches?: readonly string[] | undefined
}
/** The writes of this browser that are under way, or were done a moment ago. */
type Save = {
  acting: Acting & { touches: readonly string[] }
  sending: Promise<unknown>
  done?: number
}
const saves = new Set<Save>()
const CATCH_UP_MS = 3000
const recent = ({ done }: Save) => done === undefined || ownMs() < done + CATCH_UP_MS
/** Actions on one kind of rows concern the same rows only; others whatever both touch. */
const concerns = ({ acting: saved }: Save, { on, rows, touches }: Acting): boolean =>
  on !== undefined && saved.on === on
    ? saved.rows.some(id => rows.includes(id))
    : touches === undefined || saved.touches.some(tag => touches.includes(tag))
/**
 * How a write's refusal is told. False: by a toast. True: the form that sent it says it at its
 * fields too, and settles a row that changed meanwhile by itself. `wholly`: by the sender alone.
 */
type Quiet = boolean | 'wholly'
type Sending = { call: Call; input: unknown; key?: string; quiet?: Quiet; acting?: Acting }
/** Tells of a write's refusal whose sender tried to settle it first. */
export const tellFault = (error: CallError): void => session.failed(error)
const LEAVING_MS = 500
/** Tells of a call that failed (specification, section 8). */
const tell = ({ call, input, quiet }: Sending, error: CallError) => {
  if (call.unattended) return
  if (call.onConsole?.(input)) {
    const write = () => console.error(urlOf(call), error.message)
    // Whoever leaves a page cuts its requests off: that is no fault, and the page is gone by then.
    if (error.lost) setTimeout(write, LEAVING_MS)
    else write()
  } else if (!quiet || (quiet === true && error.data?.rule !== 'stale')) session.failed(error)
}
/** What every answer carries: words in the language that the reader had chosen. */
const WORDS = 'words'

/** A read under way; `isOvertaken`, once what it shows was changed after it was sent. */
type Flight = { touches: readonly string[]; isOvertaken: boolean }
const flights = new Set<Flight>()
const overtake = (tags: readonly string[]) => {
  for (const flight of flights)
    if (tags.some(tag => tag === WORDS || flight.touches.includes(tag))) flight.isOvertaken = true
}
const tagName = (tag: unknown): string[] => {
  if (typeof tag === 'string') return [tag]
  return tag ? [(tag as { type: string }).type] : []
}
/** Hears of every change, so that an answer from before it is not taken for the present state. */
const overtaking: Middleware = () => next => action => {
  if (api.util.invalidateTags.match(action)) overtake(action.payload.flatMap(tagName))
  return next(action)
}
/**
 * A read waits for nobody else's answer; one that was overtaken by a change is sent again once it
 * has answered.
 */
const inFlight = async <R>(
  { call, input }: Sending,
  sending: Promise<R>,
  {
    dispatch,
    getState,
    queryCacheKey,
  }: Pick<BaseQueryApi, 'dispatch' | 'getState'> & {
    queryCacheKey?: string | undefined
  },
): Promise<R> => {
  const flight: Flight = { touches: call.touches, isOvertaken: false }
  flights.add(flight)
  try {
    return await sending
  } finally {
    flights.delete(flight)
    if (flight.isOvertaken)
      // The answer is stored in this turn; a read that is still under way is not sent again.
      setTimeout(() => {
        const { queries } = (getState() as { api: { queries: Record<string, unknown> } }).api
        if (queryCacheKey && queries[queryCacheKey])
          (dispatch as Dispatch)(
            endpoint(call).initiate(input, { subscribe: false, forceRefetch: true }),
          )
      })
  }
}
const base: BaseQueryFn<Sending, unknown, CallError> = async (sent, running) => {
  const { signal } = running
  const { call, input, key, acting } = sent
  const sending = send(call, input, { key, ...(call.kind === 'read' && { signal }) })
  const save: Save | undefined =
    call.kind === 'write' && call.touches.length > 0
      ? { acting: { rows: [], ...acting, touches: call.touches }, sending }
      : undefined
  for (const one of saves) if (!recent(one)) saves.delete(one)
  // What runs by itself in the background keeps nobody waiting.
  if (save && !call.quiet) saves.add(save)
  try {
    const data = call.kind === 'read' ? await inFlight(sent, sending, running) : await sending
    if (call.kind === 'write') overtake(call.touches)
    if (save) {
      save.done = ownMs()
      saves.add(save)
    }
    return { data }
  } catch (fault) {
    if (save) saves.delete(save)
    const error = fault as CallError
    if (isSessionCode(error.status)) session.ended(error)
    else if (!signal.aborted) tell(sent, error)
    return { error }
  }
}
export const api = createApi({
  reducerPath: 'api',
  baseQuery: base,
  // Otherwise what was changed is fetched again only once nothing at all is under way: a slow
  // answer anywhere would leave every page with the rows of before.
  invalidationBehavior: 'immediately',
  tagTypes: [] as string[],
  endpoints: () => ({}),
  keepUnusedDataFor: 120,
})

/** What a store needs beside the reducer. */
export const middleware = [overtaking, api.middleware]

const made = new Map<Call, any>()
/** What each endpoint's call touches. */
const touched = new Map<string | undefined, readonly string[]>()
type Entry = { endpointName?: string } | undefined
type Running = Promise<unknown> & { queryCacheKey: string }
/** The call's endpoint, injected on first use: a page costs nothing until it is opened. */
const endpoint = (call: Call): any => {
  let known = made.get(call)
  if (!known) {
    const name = `${call.method} ${call.path}`
    const more = api.enhanceEndpoints({ addTagTypes: [...call.touches, WORDS] }).injectEndpoints({
      endpoints: build => ({
        [name]:
          call.kind === 'read'
            ? build.query<unknown, unknown>({
                query: input => ({ call, input }),
                providesTags: [...call.touches, WORDS],
              })
            : build.mutation<unknown, Omit<Sending, 'call'>>({
                query: sent => ({ call, ...sent }),
                invalidatesTags: (_, error) => (error ? [] : [...call.touches]),
              }),
      }),
    })
    known = (more.endpoints as any)[name]
    made.set(call, known)
    touched.set(name, call.touches)
  }
  return known
}

export type ReadState<R> = {
  data: R | undefined
  currentData: R | undefined
  isFetching: boolean
  isLoading: boolean
  error: CallError | undefined
  startedTimeStamp?: number
  fulfilledTimeStamp?: number
  refetch: () => void
}
/**
 * What a call answers, kept fresh: writes and the server's change events that touch it fetch it
 * again. A failure is told by a toast, and is the page's to show in its place: what was answered to
 * another input is not shown as the answer to this one.
 */
export const useRead = <S, P, R>(call: Read<S, P, R>, input: S | SkipToken): ReadState<R> => {
  const read: ReadState<R> & { isUninitialized: boolean } = endpoint(call).useQuery(input, {
    refetchOnReconnect: true,
  })
  // A hidden page holds no subscription, so a change drops its entry and RTK forgets what was
  // shown: the old rows stay until the new ones come.
  const last = useRef<{ call: Call; data: R | undefined }>(undefined)
  if (read.error && read.currentData === undefined) return { ...read, data: undefined }
  if (read.data !== undefined) last.current = { call, data: read.data }
  return read.data === undefined && last.current?.call === call && input !== skipToken
    ? { ...read, data: last.current.data, isFetching: read.isFetching || read.isUninitialized }
    : read
}
/** True while what is shown answers a question that is no longer asked. */
export const isStale = (read: {
  isFetching: boolean
  data?: unknown
  currentData?: unknown
}): boolean => read.isFetching && read.data !== undefined && read.currentData === undefined
/** What is shown of a read: its answer or, until that comes, the last one. */
export const shownOf = <R>({
  currentData,
  data,
  isFetching,
}: Pick<ReadState<R>, 'currentData' | 'data' | 'isFetching'>): R | undefined =>
  currentData ?? (isFetching ? data : undefined)
/**
 * What a shelf or a board needs of a read of rows: those that are shown, with the version of their
 * order, and how the read stands.
 */
export const sourceOf = <Row>(
  read: ReadState<{ list: readonly Row[]; list_version?: number }>,
): {
  rows: readonly Row[] | undefined
  version: number | undefined
  error: CallError | undefined
  stale: boolean
  refetch: () => void
} => {
  const shown = shownOf(read)
  const { error, refetch } = read
  return {
    rows: shown?.list,
    version: shown?.list_version,
    error,
    stale: isStale(read),
    refetch,
  }
}
/**
 * Sends a write; throws a CallError after telling the person, as `quiet` says. The same `key` sent
 * again answers the first result.
 */
export const useWrite = <S, P, R>(
  call: Write<S, P, R>,
): [
  (input: S, more?: { key?: string; quiet?: Quiet }) => Promise<R>,
  { isLoading: boolean; error: CallError | undefined },
] => {
  const [run, state] = endpoint(call).useMutation()
  return [(input, more) => run({ input, key: crypto.randomUUID(), ...more }).unwrap(), state]
}
/**
 * Whether this browser made something of a moment ago, beyond changing rows: what then comes new
 * into a list is what its person waits for.
 */
export const hasMade = (touches: readonly string[]): boolean =>
  [...saves].some(
    save =>
      recent(save) &&
      save.acting.rows.length === 0 &&
      save.acting.touches.some(tag => touches.includes(tag)),
  )
/**
 * Waits for what is pending, and for what begins when that is through: a refetch waits for every
 * read that is under way. Never longer than three seconds.
 */
const catchUp = async (pending: () => readonly Promise<unknown>[]): Promise<void> => {
  const until = ownMs() + CATCH_UP_MS
  for (let running = pending(); running.length > 0 && ownMs() < until; running = pending()) {
    await Promise.race([
      Promise.allSettled(running),
      new Promise(later => setTimeout(later, until - ownMs())),
    ])
    await new Promise(later => setTimeout(later))
  }
}
/** The reads under way of what these tags name: nobody waits for the answers to other questions. */
const reading = (dispatch: Dispatch, tags: readonly string[]): Promise<unknown>[] =>
  dispatch((_: Dispatch, getState: () => { api: { queries: Record<string, Entry> } }) => {
    const { queries } = getState().api
    return (dispatch(api.util.getRunningQueriesThunk()) as Running[]).filter(({ queryCacheKey }) =>
      touched.get(queries[queryCacheKey]?.endpointName)?.some(tag => tags.includes(tag)),
    )
  })
/**
 * Resolves when what this browser's last writes changed of what is acted on was fetched again;
 * undefined when nothing of it is under way: whoever acts on a row while it is being saved, or
 * right after, acts on the row as it is now, and not on the version that the save made old.
 */
export const caughtUp = (dispatch: Dispatch, acting: Acting): Promise<void> | undefined => {
  const pending = () => {
    const own = [...saves].filter(save => recent(save) && concerns(save, acting))
    return own.length > 0
      ? [
          ...own.flatMap(({ done, sending }) => (done === undefined ? [sending] : [])),
          ...reading(
            dispatch,
            own.flatMap(({ acting: { touches } }) => touches),
          ),
        ]
      : []
  }
  return pending().length > 0 ? catchUp(pending) : undefined
}
/** Fetches again what shows these things, and resolves when it is there, or after three seconds. */
export const renewed = async (dispatch: Dispatch, touches: readonly string[]): Promise<void> => {
  dispatch(api.util.invalidateTags([...touches]))
  // Lazily invalidated reads begin in the next turn.
  await new Promise(later => setTimeout(later))
  await catchUp(() => reading(dispatch, touches))
}
/** Sends a write outside a component. */
export const dispatchWrite = <S, P, R>(
  dispatch: Dispatch,
  call: Write<S, P, R>,
  input: S,
  more?: { key?: string; quiet?: Quiet; acting?: Acting },
): Promise<R> =>
  dispatch(endpoint(call).initiate({ input, key: crypto.randomUUID(), ...more })).unwrap()
/** Reads outside a component, from the cache where it is fresh. */
export const dispatchRead = async <S, P, R>(
  dispatch: Dispatch,
  call: Read<S, P, R>,
  input: S,
  force = false,
): Promise<R> => {
  // Subscribed while it is under way: RTK drops what nobody subscribes to on a change, the answer
  // that is awaited too.
  const running = dispatch(endpoint(call).initiate(input, { forceRefetch: force }))
  try {
    return await running.unwrap()
  } finally {
    running.unsubscribe()
  }
}
/**
 * Reads ahead of need, once `ready`, for as long as the component stands: a change fetches these
 * again instead of dropping them.
 */
export const useAhead = <S, P, R>(
  call: Read<S, P, R>,
  inputs: readonly S[],
  ready: boolean,
): void => {
  const dispatch: Dispatch = useDispatch()
  const key = JSON.stringify(inputs)
  useEffect(() => {
    if (!ready) return undefined
    const held = (JSON.parse(key) as S[]).map(input => dispatch(endpoint(call).initiate(input)))
    return () => {
      for (const one of held) one.unsubscribe()
    }
  }, [call, key, ready, dispatch])
}
/**
 * The reader chose another language: what is shown is asked for again, for the server speaks too.
 */
export const relearn = (dispatch: Dispatch) => dispatch(api.util.invalidateTags([WORDS]))
export { skipToken }
