import { Coming } from './coming.tsx'
import { loadable } from './loadable.tsx'

// Asked for now and then: their code comes when they are.
export const BatchTime = loadable(
  async () => (await import('./times-dialogs.tsx')).BatchTime,
  <Coming />,
)
export const TimeLogs = loadable(
  async () => (await import('./times-dialogs.tsx')).TimeLogs,
  <Coming />,
)
