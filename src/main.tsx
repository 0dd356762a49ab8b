import { createRoot } from 'react-dom/client'
import { Provider } from 'react-redux'
import { composingKeepsItsKeys } from '#src/kit/composing.ts'
import { connect } from '#src/kit/data.ts'
import { pressesEndWhereTheyBegan } from '#src/kit/focus.ts'
import { lang, setLang } from '#src/kit/text.ts'
import { pathOf, screenOf, tidy } from './shell/address.ts'
import { tellOfClock } from './shell/clock.ts'
import { Root, Workbench } from './shell/root.tsx'
import { keepLock } from './shell/session/lock.ts'
import { followTabs, lookUp, sessionEnded } from './shell/session/session.ts'
import { makeStore } from './shell/store.ts'
import { region, rememberedAccount, showLooks, token } from './shell/stored.ts'
import { toast } from './shell/toasts.tsx'
import '#src/kit/tokens.css'
import './shell/entry.css'

showLooks(rememberedAccount())
setLang(lang())

/** Fetches the page that the address names, where it is one of the workbench's. */
const preloadPage = async () => {
  if (screenOf(location.href.slice(location.origin.length)) !== 'manage') return
  const { componentOf, fileOf } = await import('./shell/pages.ts')
  await componentOf(fileOf({ path: pathOf(tidy(location.pathname)) }))?.preload()
}

const store = makeStore()
connect({
  token,
  region,
  ended: error => {
    toast(error.message, 'danger')
    store.dispatch(sessionEnded(error))
  },
  failed: error => toast(error.message, 'danger'),
  timed: tellOfClock,
})
if (token()) {
  // The code of the workbench and of the page asked for travels while the session is looked up.
  for (const part of [Workbench.preload(), preloadPage()])
    part.catch(() => {
      /* asked for again, and reported, when it is shown */
    })
  void store.dispatch(lookUp())
}
keepLock()
followTabs(store.dispatch)
pressesEndWhereTheyBegan()
composingKeepsItsKeys()
createRoot(document.getElementById('root')!).render(
  <Provider store={store}>
    <Root />
  </Provider>,
)
