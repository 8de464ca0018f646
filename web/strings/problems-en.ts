/** The daemon's errors in the words of the page, by their code. Others are shown as the daemon wrote them. */
const notRestored = 'Nothing could be restored from this backup file. Check the file and the recovery words.'

export const text: Readonly<Record<string, string>> = {
  phrase_changed: 'There are newer recovery words. Only the new ones can be confirmed.',
  not_running: 'The persona is not active. Start it first.',
  asleep: 'The persona is already going over the day.',
  sleep_failed: 'Going over the day failed unexpectedly.',
  channel_verified: 'This channel is already connected.',
  mouth_missing: 'The persona has no Voice. Add one under Settings.',
  call_unsent: 'No model was used for this answer.',
  turn_unknown: 'There is no such answer.',
  damaged_here:
    'The data of the persona here is damaged, so the two cannot be compared. Rescue the undamaged events under “Health”, or delete the persona, and restore the backup file again.',
  mind_not_taken:
    'The model of that time cannot be used: it needs a key, and keys are not copied. Choose another model.',
  not_a_diary: `${notRestored} This is not a backup file. Choose the file whose name ends in .diary.`,
  other_phrase: `${notRestored} These words do not open the backup file, or the beginning of the file is damaged. Try the words of this persona, or another copy of the file.`,
  diary_damaged: `${notRestored} The backup file is damaged or incomplete. Nothing was changed. Try another copy.`,
  diary_newer: `${notRestored} The backup file was made by a newer version. Update Daimon, then restore it again.`,
  journal_replaced: 'The data of the persona is being removed or replaced. Try again in a moment.',
  host_gone:
    'The machine that runs this persona does not answer. Another one takes over in a few seconds. Then try again.',
  cut_off:
    'This machine is separated from the others, or was until now. Until the connection is back, nothing can be changed here, and what you see may be old.',
}
