import { createApi, skipToken, type BaseQueryFn, type SkipToken } from '@reduxjs/toolkit/query/react'
import { useRef } from 'react'
import { urlOf, type Call, type Read, type Write } from '#src/contract/call.ts'
import { isSessionCode, type Envelope, type RefusalData } from '#src/contract/envelope.ts'
import { toQuery } from '#src/contract/query.ts'
import { say, type Text } from '#src/domain/text.ts'
import { lang } from './text.ts'

/** Why a call failed. `status` is the envelope's, or 0 when no answer came. */
export type CallError = { status: number; message: string; data?: RefusalData; lost?: boolean }

/** What the client needs of the shell: the token and region to send, and who is told of an error. */
export type Session = { token: () => string | null; region: () => string; ended: (error: CallError) => void; failed: (error: CallError) => void }
let session: Session = { token: () => null, region: () => 'pro', ended: () => {}, failed: () => {} }
export const connect = (to: Session) => { session = to }

const TIMEOUT_MS = 20_000
const timedOut: Text = ['请求超时，请重试', 'The request timed out, please retry']
const offline: Text = ['网络连接中断，请检查网络后重试', 'Connection lost, check the network and retry']

/** Sends a call and answers its data, or throws a CallError. `key` makes a write safe to send again; `keepalive` lets one out while the tab is being closed. */
export const send = async (call: Call, input: unknown, key?: string, signal?: AbortSignal, keepalive = false): Promise<unknown> => {
  const query = call.method === 'GET' ? toQuery(input) : ''
  const token = session.token()
  let response: Response
  let body: Envelope | undefined
  try {
    response = await fetch(urlOf(call) + (query && `?${query}`), {
      method: call.method, keepalive,
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
      headers: {
        ...(token ? { 'Authori-zation': `Bearer ${token}` } : {}),
        region: session.region(),
        'Accept-Language': lang(),
        ...(key ? { 'Idempotency-Key': key } : {}),
        ...(call.method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(call.method === 'POST' ? { body: JSON.stringify(input ?? {}) } : {}),
    })
    body = (await response.json().catch(() => undefined)) as Envelope | undefined
  } catch (fault) {
    const late = fault instanceof DOMException && fault.name === 'TimeoutError'
    throw { status: 0, message: say(late ? timedOut : offline, lang()), lost: true } satisfies CallError
  }
  // A gateway's own 504 page must never be read as success: only a JSON body whose status says so is one.
  if (typeof body?.status !== 'number') throw { status: 0, message: say(response.status === 504 ? timedOut : offline, lang()), lost: true } satisfies CallError
  if (body.status === 200 || body.status === 504) return body.data
  throw { status: body.status, message: body.message || body.msg || 'Error', data: (body.data ?? undefined) as RefusalData | undefined } satisfies CallError
}

/** When the last write of this browser was done. */
let wrote = 0
export type Sending = { call: Call; input: unknown; key?: string; quiet?: boolean }
const base: BaseQueryFn<Sending, unknown, CallError> = async ({ call, input, key, quiet }, { signal }) => {
  try {
    const data = await send(call, input, key, call.kind === 'read' ? signal : undefined)
    if (call.kind === 'write' && call.touches.length > 0) wrote = Date.now()
    return { data }
  } catch (fault) {
    const error = fault as CallError
    if (isSessionCode(error.status)) session.ended(error)
    else if (!quiet && !signal.aborted) session.failed(error)
    return { error }
  }
}
export const api = createApi({ reducerPath: 'api', baseQuery: base, tagTypes: [] as string[], endpoints: () => ({}), keepUnusedDataFor: 120 })

/** What every answer carries: words in the language that the reader had chosen. */
const WORDS = 'words'
const made = new Map<Call, any>()
/** The call's endpoint, injected on first use: a page costs nothing until it is opened. */
const endpoint = (call: Call): any => {
  let known = made.get(call)
  if (!known) {
    const name = `${call.method} ${call.path}`
    const more = api.enhanceEndpoints({ addTagTypes: [...call.touches, WORDS] }).injectEndpoints({
      endpoints: build => ({
        [name]: call.kind === 'read'
          ? build.query<unknown, unknown>({ query: input => ({ call, input, quiet: true }), providesTags: [...call.touches, WORDS] })
          : build.mutation<unknown, { input: unknown; key: string; quiet?: boolean }>({ query: sent => ({ call, ...sent }), invalidatesTags: (_, error) => (error ? [] : [...call.touches]) }),
      }),
    })
    known = (more.endpoints as any)[name]
    made.set(call, known)
  }
  return known
}

export type ReadState<R> = { data: R | undefined; currentData: R | undefined; isFetching: boolean; isLoading: boolean; error: CallError | undefined; startedTimeStamp?: number; fulfilledTimeStamp?: number; refetch: () => void }
/** What a call answers, kept fresh: writes and the server's change events that touch it fetch it again. Errors are the page's to show. */
export const useRead = <S, P, R>(call: Read<S, P, R>, input: S | SkipToken): ReadState<R> => {
  const read: ReadState<R> & { isUninitialized: boolean } = endpoint(call).useQuery(input, { refetchOnReconnect: true })
  // A hidden page holds no subscription, so a change drops its entry and RTK forgets what was shown: the old rows stay until the new ones come.
  const last = useRef<{ call: Call; data: R | undefined }>(undefined)
  if (read.data !== undefined) last.current = { call, data: read.data }
  return read.data === undefined && last.current?.call === call && input !== skipToken ? { ...read, data: last.current.data, isFetching: read.isFetching || read.isUninitialized } : read
}
/** Sends a write; throws a CallError after telling the person, unless `quiet`. The same `key` sent again answers the first result. */
export const useWrite = <S, P, R>(call: Write<S, P, R>): [(input: S, more?: { key?: string; quiet?: boolean }) => Promise<R>, { isLoading: boolean; error: CallError | undefined }] => {
  const [run, state] = endpoint(call).useMutation()
  return [(input, more) => run({ input, key: crypto.randomUUID(), ...more }).unwrap(), state]
}
type Dispatch = (action: any) => any
const CATCH_UP_MS = 3000
const catchUp = async (dispatch: Dispatch, running: readonly Promise<unknown>[]): Promise<void> => {
  await Promise.race([Promise.allSettled(running), new Promise(later => setTimeout(later, wrote + CATCH_UP_MS - Date.now()))])
  // A refetch may have waited for these: it begins when they are through.
  await new Promise(later => setTimeout(later))
  await caughtUp(dispatch)
}
/**
 * Resolves when what this browser's last writes touched was fetched again; undefined when nothing of it is under way: whoever acts on a row right after
 * saving it acts on the row as it is now, and not on the version that the save made old. Never waits longer than three seconds after a write.
 */
export const caughtUp = (dispatch: Dispatch): Promise<void> | undefined => {
  if (Date.now() >= wrote + CATCH_UP_MS) return undefined
  const running: Promise<unknown>[] = dispatch(api.util.getRunningQueriesThunk())
  return running.length > 0 ? catchUp(dispatch, running) : undefined
}
/** Fetches again what shows these things, and resolves when it is there, or after three seconds. */
export const renewed = async (dispatch: Dispatch, touches: readonly string[]): Promise<void> => {
  wrote = Date.now()
  dispatch(api.util.invalidateTags([...touches]))
  // Lazily invalidated reads begin in the next turn.
  await new Promise(later => setTimeout(later))
  await caughtUp(dispatch)
}
/** Sends a write outside a component. */
export const dispatchWrite = <S, P, R>(dispatch: Dispatch, call: Write<S, P, R>, input: S, more?: { key?: string; quiet?: boolean }): Promise<R> =>
  dispatch(endpoint(call).initiate({ input, key: crypto.randomUUID(), ...more })).unwrap()
/** Reads outside a component, from the cache where it is fresh. */
export const dispatchRead = <S, P, R>(dispatch: Dispatch, call: Read<S, P, R>, input: S, force = false): Promise<R> => {
  const running = dispatch(endpoint(call).initiate(input, { subscribe: false, forceRefetch: force }))
  return running.unwrap()
}
/** Fetches a read ahead of need. */
export const prefetch = <S, P, R>(dispatch: Dispatch, call: Read<S, P, R>, input: S) => dispatch(endpoint(call).initiate(input, { subscribe: false }))
/** The reader chose another language: what is shown is asked for again, for the server speaks too. */
export const relearn = (dispatch: Dispatch) => dispatch(api.util.invalidateTags([WORDS]))
export { skipToken }
