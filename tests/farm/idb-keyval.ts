/** What a browser keeps in its database. The page of the tests has none; each test begins with none. */
export const kept = new Map<string, unknown>()

export const get = async (key: string): Promise<unknown> => kept.get(key)
export const set = async (key: string, value: unknown): Promise<void> => void kept.set(key, value)
export const del = async (key: string): Promise<void> => void kept.delete(key)
export const clear = async (): Promise<void> => kept.clear()
