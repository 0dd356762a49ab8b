import { createAsyncThunk, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { clear } from 'idb-keyval'
import type { Result } from '#src/contract/call.ts'
import { isSessionCode } from '#src/contract/envelope.ts'
import { api, dispatchRead, send, type CallError } from '#src/kit/data.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { rememberAccount, showLooks, stored, token, TOKEN } from '../stored.ts'
import { unlockScreen } from './lock.ts'

export type MeFacts = Result<typeof calls.me>
type SessionState = {
  /** out: nobody; starting: a token that was not yet answered for; in: someone. */
  phase: 'out' | 'starting' | 'in'
  me: MeFacts | null
  /**
   * Why the session ended, while the person decides or goes on reading. `asked` is the confirm
   * dialog being open.
   */
  ended: { message: string; asked: boolean } | null
  /** The session could not be looked up, and not because it is over. */
  fault: CallError | null
  /**
   * Grows when another person takes this machine over: everything of the first one is drawn anew.
   */
  person: number
}
const initialState = (): SessionState => ({
  phase: token() ? 'starting' : 'out',
  me: null,
  ended: null,
  fault: null,
  person: 0,
})
const OWNER = 'mallet.owner'

const slice = createSlice({
  name: 'session',
  initialState,
  reducers: {
    known(state, { payload }: PayloadAction<MeFacts>) {
      if (state.me && state.me.id !== payload.id) state.person += 1
      Object.assign(state, { phase: 'in', me: payload, ended: null, fault: null })
    },
    starting(state) {
      if (state.phase === 'out') state.phase = 'starting'
    },
    unknown(state, { payload }: PayloadAction<CallError>) {
      state.fault = payload
    },
    /** Once for many failures: after an answer the dialog stays shut until someone signed in. */
    ended(state, { payload }: PayloadAction<CallError>) {
      if (state.phase !== 'out' && !state.ended)
        state.ended = { message: payload.message, asked: true }
    },
    kept(state) {
      if (state.ended) state.ended.asked = false
    },
    /**
     * Back to the sign-in page. What was open stays as it was, hidden, until it is known who signs
     * in.
     */
    leaving(state) {
      Object.assign(state, { phase: 'out', ended: null, fault: null })
    },
    gone(state) {
      Object.assign(state, {
        phase: 'out',
        me: null,
        ended: null,
        fault: null,
        person: state.person + 1,
      })
    },
  },
})
export const sessionReducer = slice.reducer
export const sessionEnded = slice.actions.ended
export const keepReading = slice.actions.kept

type Store = { state: { session: SessionState } }
const thunk = createAsyncThunk.withTypes<Store>()

/** Wipes what the person before left on this machine, unless it is the same one. */
const takeOver = async (me: MeFacts, dispatch: (action: any) => unknown) => {
  const owner = stored.get(OWNER)
  if (owner !== null && owner !== String(me.id)) {
    try {
      await clear()
    } catch {
      /* no storage, so nothing to wipe */
    }
    dispatch(api.util.resetApiState())
  }
  stored.set(OWNER, String(me.id))
}

/** Asks who the stored token belongs to. */
export const lookUp = thunk('session/lookUp', async (_: void, { dispatch, getState }) => {
  if (!token()) {
    dispatch(slice.actions.leaving())
    return
  }
  dispatch(slice.actions.starting())
  try {
    const me = await dispatchRead(dispatch, calls.me, {}, true)
    await takeOver(me, dispatch)
    // Where the one before was is not where another person wants to be.
    const before = getState().session.me
    if (before && before.id !== me.id && location.pathname === '/')
      history.replaceState(null, '', '/')
    showLooks(me.account)
    dispatch(slice.actions.known(me))
  } catch (fault) {
    const error = fault as CallError
    if (isSessionCode(error.status)) dispatch(slice.actions.ended(error))
    else dispatch(slice.actions.unknown(error))
  }
})
/** Keeps the new token and takes the person in. */
export const enter = thunk(
  'session/enter',
  async ({ token: fresh, account }: { token: string; account: string }, { dispatch }) => {
    stored.set(TOKEN, fresh)
    rememberAccount(account)
    // Whoever has just given their password need not give it to the lock as well.
    unlockScreen()
    await dispatch(lookUp())
  },
)
/** To the sign-in page because the session is over; what is open is kept. */
export const signInAgain = thunk('session/again', (_: void, { dispatch }) => {
  stored.set(TOKEN, null)
  dispatch(slice.actions.leaving())
})
/** Signs out: the server forgets the token, this machine forgets the person. */
export const signOut = thunk('session/signOut', async (_: void, { dispatch }) => {
  // The server ends the session by itself in time; a lost connection must not keep anyone signed in
  // here.
  if (token()) await send(calls.signOut, {}).catch(() => {})
  stored.set(TOKEN, null)
  unlockScreen()
  dispatch(slice.actions.gone())
  dispatch(api.util.resetApiState())
})

/**
 * Other tabs of this browser share the token: they sign out and in together. Answers how to stop.
 */
export const followTabs = (dispatch: (action: any) => unknown): (() => void) => {
  const follow = (event: StorageEvent) => {
    if (event.key !== TOKEN && event.key !== null) return
    if (token()) void dispatch(lookUp())
    else dispatch(slice.actions.leaving())
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}
