import { useEffect, useState } from 'react'
import * as shell from '#commands/shell.ts'
import { Coming } from '#src/kit/coming.tsx'
import { loadable } from '#src/kit/loadable.tsx'
import { useDesk } from '../desk.ts'

const dialogs = {
  [shell.profile.id]: loadable(
    async () => (await import('./profile-dialog.tsx')).ProfileDialog,
    <Coming />,
  ),
  [shell.changePassword.id]: loadable(
    async () => (await import('./password-dialog.tsx')).PasswordDialog,
    <Coming />,
  ),
  [shell.mySessions.id]: loadable(
    async () => (await import('./sessions-dialog.tsx')).SessionsDialog,
    <Coming />,
  ),
  [shell.autoLockSetting.id]: loadable(
    async () => (await import('./auto-lock-dialog.tsx')).AutoLockDialog,
    <Coming />,
  ),
}

/** What a person opens about themselves, from their menu, by a key or from the palette. */
export const PersonDialogs = () => {
  const desk = useDesk()
  const [open, setOpen] = useState<string | null>(null)
  useEffect(() => {
    const undo = Object.keys(dialogs).map(id => desk.global(id, () => setOpen(id)))
    return () => {
      for (const take of undo) take()
    }
  }, [desk])
  const Shown = open === null ? undefined : dialogs[open]
  return Shown ? <Shown close={() => setOpen(null)} /> : null
}
