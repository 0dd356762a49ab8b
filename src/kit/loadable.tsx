import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/**
 * A component whose code is fetched when it is first shown, or ahead by `preload()`; meanwhile
 * `waiting` stands in for it. It is shown as soon as it is there, where React's `lazy` leaves its
 * stand-in for 300 ms at least. Code that can't be had is thrown to the nearest error boundary;
 * mounted anew, it is asked for again.
 */
export const loadable = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode,
) => {
  let known: ComponentType<P> | undefined
  const preload = async () => (known ??= await load())
  const Loadable = (props: P) => {
    const [Loaded, setLoaded] = useState(() => known)
    const [error, setError] = useState<unknown>(null)
    useEffect(() => {
      if (!Loaded) preload().then(found => setLoaded(() => found), setError)
    }, [Loaded])
    if (error) throw error
    return Loaded ? <Loaded {...props} /> : waiting
  }
  return Object.assign(Loadable, { preload })
}
