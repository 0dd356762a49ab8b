import { configureStore } from '@reduxjs/toolkit'
import { setupListeners } from '@reduxjs/toolkit/query'
import { useDispatch, useSelector, useStore } from 'react-redux'
import { api, middleware } from '#src/kit/data.ts'
import { workspaceReducer } from './panes/workspace.ts'
import { sessionReducer } from './session/session.ts'

/** The one store: who is here, what stands where, what calls answered. */
export const makeStore = () => {
  const store = configureStore({
    reducer: {
      session: sessionReducer,
      workspace: workspaceReducer,
      [api.reducerPath]: api.reducer,
    },
    middleware: standard =>
      standard({ serializableCheck: false, immutableCheck: false }).concat(middleware),
    // An answer is told of in its own turn, not with the next picture: whoever waited for it acts
    // on what the page then shows.
    enhancers: standard => standard({ autoBatch: { type: 'tick' } }),
  })
  setupListeners(store.dispatch)
  return store
}
export type Store = ReturnType<typeof makeStore>
export type State = ReturnType<Store['getState']>
export const useAppDispatch = useDispatch.withTypes<Store['dispatch']>()
export const useAppSelector = useSelector.withTypes<State>()
export const useAppStore = useStore.withTypes<Store>()
