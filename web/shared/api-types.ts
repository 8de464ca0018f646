/** Made from what the daemon says of its routes, by `test/web/api-types.ts`. */
export interface paths {
    readonly "/api/config/providers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The default address of each provider
         * @description The address from the environment, otherwise the default of the provider.
         */
        readonly get: operations["get_api_config_providers"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Check that the daemon is alive
         * @description Does not read any journal.
         */
        readonly get: operations["get_api_health"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/models": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * The model names that a runtime or provider offers
         * @description Calls the runtime or provider, with the given key or the one from the environment.
         */
        readonly post: operations["post_api_models"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/approvals": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The tool calls that wait for a decision of the user
         * @description The oldest first. The turn of such a call is suspended, and other turns run meanwhile. Without a decision within a day the call is denied.
         */
        readonly get: operations["get_api_persona_persona_id_approvals"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/approvals/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Decide whether a tool may be used: for this call, always, or not
         * @description `always` applies to that tool of that server with its current definition. The turn continues immediately if the persona is running, otherwise when it is started.
         */
        readonly post: operations["post_api_persona_persona_id_approvals_id"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/attach": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send the persona a file on the web channel: a picture, a recording or a document. Several files are received together, with the caption on the first
         * @description A form with one or more files and a caption. Without `wait` it answers as soon as the message is stored, and the reply arrives over the WebSocket.
         */
        readonly post: operations["post_api_persona_persona_id_attach"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/calendar": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The past and planned entries between two moments
         * @description All occurrences in that time, the earliest first.
         */
        readonly get: operations["get_api_persona_persona_id_calendar"];
        readonly put?: never;
        /**
         * Plan a reminder or an appointment, once or recurring
         * @description Times without an offset are in the time zone of the daemon, unless `zone` is set.
         */
        readonly post: operations["post_api_persona_persona_id_calendar"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/calendar.ics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The calendar of the persona as an iCalendar feed, to subscribe to
         * @description Entries that fell due recently and all planned ones, for programs that subscribe to calendars. Answers 304 if nothing has changed.
         */
        readonly get: operations["get_api_persona_persona_id_calendar_ics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/calendar/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Cancel an entry with all its later occurrences, or one that has fallen due and was not delivered yet
         * @description The entry stays in the journal, but the persona no longer reminds of it.
         */
        readonly delete: operations["delete_api_persona_persona_id_calendar_id"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an entry that has not fallen due. Fields that are not sent stay
         * @description Times are given as in a new entry.
         */
        readonly patch: operations["patch_api_persona_persona_id_calendar_id"];
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/changes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The differences between two moments of its life. Changes that were reverted in between are not listed
         * @description Statements, instructions, plans, organs and channels that differ, and the messages and usage in between.
         */
        readonly get: operations["get_api_persona_persona_id_changes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/channels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Add a bot to the persona, to be paired with a chat afterwards. A bot that it already has is not added twice
         * @description The token is checked with its platform before anything is stored. Users who write to the bot then get a code, which `pair` takes.
         */
        readonly post: operations["post_api_persona_persona_id_channels"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/channels/{channel_name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a bot from the persona: every channel with exactly that name
         * @description Its messages stay.
         */
        readonly delete: operations["delete_api_persona_persona_id_channels_channel_name"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/conversation": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The conversation, the oldest message first. Use `before` to page back through its whole life
         * @description A page of the messages of all channels, with files and delivery states.
         */
        readonly get: operations["get_api_persona_persona_id_conversation"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Delete the persona and all its data permanently
         * @description Its last diary stays for 30 days, unless `purge` is set.
         */
        readonly post: operations["post_api_persona_persona_id_delete"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/diagnose": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Diagnose the persona: the context of its Mind, its last 24 hours, its organs, its journal
         * @description Calls no model. Works even if the journal is damaged.
         */
        readonly get: operations["get_api_persona_persona_id_diagnose"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/erase": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Erase the text of facts permanently
         * @description Removes the text from the journal, its indexes and its diaries. The hash chain still verifies. With `also`, facts that were derived from them are erased too.
         */
        readonly post: operations["post_api_persona_persona_id_erase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The current diary of the persona, with all its data. Only its recovery phrase opens it
         * @description An age file, streamed. It contains no keys or tokens.
         */
        readonly get: operations["get_api_persona_persona_id_export"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/feed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Import the conversations with another AI, from the file or the zip of its export. The persona remembers the facts that the user told about themselves there, but the conversations do not become its own. Known conversations are skipped. Answers when the import is done. /ws/system reports the progress
         * @description A form with the file and the name of the system that it comes from. With `preview` nothing is imported, and the conversations are listed.
         */
        readonly post: operations["post_api_persona_persona_id_feed"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/fork": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Create another persona with the same past up to a moment, and start it
         * @description It has its own id and recovery phrase, no channels and no keys. Planned entries are disarmed.
         */
        readonly post: operations["post_api_persona_persona_id_fork"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/greet": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Let the persona speak first, if there is no message yet
         * @description The greeting arrives over the WebSocket. The route answers `quiet` and does nothing if there is a message, during a greeting, while the Mind does not answer, or under `DAIMON_GREETING=off`.
         */
        readonly post: operations["post_api_persona_persona_id_greet"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/hear": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send the persona a voice recording on the web channel
         * @description A form with one recording and a caption. Its Ear or its Mind transcribes it.
         */
        readonly post: operations["post_api_persona_persona_id_hear"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/history": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The persona as it was at a moment of its life
         * @description Rebuilt from the journal alone: the persona, its memory, calendar and conversation at that moment.
         */
        readonly get: operations["get_api_persona_persona_id_history"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/hosts/{host}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Set whether pages of a web host are never read, read after asking the user, or read without asking
         * @description The host as in a URL, in lower case, with its port unless that is the default. Subdomains are hosts of their own.
         */
        readonly patch: operations["patch_api_persona_persona_id_hosts_host"];
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/hush": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Stop the turn in progress. The text so far stays
         * @description Returns a status and does nothing if no turn is in progress.
         */
        readonly post: operations["post_api_persona_persona_id_hush"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/journal": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * All facts of the persona, one per line, the oldest first. A damaged journal ends with {"damaged":{"seq","reason"}}
         * @description One JSON object per line. With `follow` the response stays open and new facts are sent.
         */
        readonly get: operations["get_api_persona_persona_id_journal"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/knowledge": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The memory of the persona, and its instructions
         * @description All of its memory as documents, and its instructions.
         */
        readonly get: operations["get_api_persona_persona_id_knowledge"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/media/{filename}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A file of its conversation
         * @description The original bytes, with ranges. A damaged file is not served.
         */
        readonly get: operations["get_api_persona_persona_id_media_filename"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/memories": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The memory of the persona as single statements with their sources, and the forgotten ones
         * @description Each statement with its source messages and its author, and the proposals of programs.
         */
        readonly get: operations["get_api_persona_persona_id_memories"];
        readonly put?: never;
        /**
         * Add a statement to the memory of the persona. The same text is not added twice
         * @description Its author is the user.
         */
        readonly post: operations["post_api_persona_persona_id_memories"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/memories/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Forget a statement. The persona does not learn it again from earlier messages. It can be restored
         * @description A PATCH with `forgotten: false` restores it.
         */
        readonly delete: operations["delete_api_persona_persona_id_memories_id"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Correct a statement, forget it, or restore it
         * @description Fields that are not sent stay. A corrected statement keeps its sources, and its history has the earlier text.
         */
        readonly patch: operations["patch_api_persona_persona_id_memories_id"];
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/pair": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Bind a channel to the chat in which its bot gave this code
         * @description A code is valid for ten minutes.
         */
        readonly post: operations["post_api_persona_persona_id_pair"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/phrase": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Whether a user has confirmed that they have the recovery phrase
         * @description The words themselves are not stored.
         */
        readonly get: operations["get_api_persona_persona_id_phrase"];
        readonly put?: never;
        /**
         * Create a new recovery phrase, and a diary that it opens
         * @description The words are returned only once. Diaries for the old phrase stay unless their removal is requested.
         */
        readonly post: operations["post_api_persona_persona_id_phrase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/phrase/confirm": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Confirm that the user has the recovery phrase
         * @description Stored with the persona until the phrase is renewed. Never send the words. `recipient` identifies the phrase, so that an older one confirms nothing.
         */
        readonly post: operations["post_api_persona_persona_id_phrase_confirm"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/proposals/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Accept the proposal of a program, which makes it a statement, or decline it
         * @description The persona does not know a proposal before it is accepted. A declined one is deleted.
         */
        readonly patch: operations["patch_api_persona_persona_id_proposals_id"];
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send the persona a message on the web channel
         * @description Without `wait` it answers as soon as the message is stored, and the reply arrives over the WebSocket. Requests with the same `Idempotency-Key` are the same message.
         */
        readonly post: operations["post_api_persona_persona_id_read"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/restart": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Rebuild the agent of the persona from disk, or start it if it is not running
         * @description Calls its Mind first. Changes nothing if that does not answer.
         */
        readonly post: operations["post_api_persona_persona_id_restart"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/salvage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Copy a damaged journal and continue with the part that verifies
         * @description Only for a damaged journal. The copy is stored next to it, and a fact records the loss.
         */
        readonly post: operations["post_api_persona_persona_id_salvage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/search": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Full-text search over messages, files, memories, plans and instructions. All words must occur, in any case and with or without accents. "Words in quotation marks" must be adjacent. A last word without a space after it, and any word before a *, may be the beginning of a longer one. Sorted by relevance, words may have other endings, words without meaning are optional, days such as "in May" count, and if nothing contains all words, results with some of them are returned. If DAIMON_EMBEDDINGS names a model, a question (it ends with a question mark and has no quotation marks) also finds texts with the same meaning. Forgotten, corrected and removed texts are not found
         * @description A page of results, each with its place in the text and in the journal.
         */
        readonly get: operations["get_api_persona_persona_id_search"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/skills": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The skills of the persona, and those that are offered
         * @description A skill is used after the user has enabled it. Offered skills are in `~/.agents/skills` and belong to the persona after they are added.
         */
        readonly get: operations["get_api_persona_persona_id_skills"];
        readonly put?: never;
        /**
         * Add a skill to the persona. It is not used before it is enabled
         * @description A form with one file, `skill`: a zip or a tar of its folder, or its SKILL.md alone. Or a form with `offered`, the name of an offered skill. A skill of the same name is replaced and must be enabled again. The same bytes change nothing.
         */
        readonly post: operations["post_api_persona_persona_id_skills"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/skills/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A skill with the text of every file, to review it before it is enabled
         * @description A skill whose files are missing or were altered is not returned.
         */
        readonly get: operations["get_api_persona_persona_id_skills_name"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a skill and its files
         * @description Diaries that were written before still contain it.
         */
        readonly delete: operations["delete_api_persona_persona_id_skills_name"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Enable the current version of a skill, or disable it
         * @description Checks the files first. A damaged skill is not enabled.
         */
        readonly patch: operations["patch_api_persona_persona_id_skills_name"];
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/sleep": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Let the persona sleep: consolidates the messages, closes the day and verifies the journal. Messages that arrive meanwhile are answered afterwards
         * @description Answers when the persona is awake again.
         */
        readonly post: operations["post_api_persona_persona_id_sleep"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/start": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Start the persona
         * @description Calls its Mind first. Changes nothing if that does not answer.
         */
        readonly post: operations["post_api_persona_persona_id_start"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/stop": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Stop the agent of the persona. Its files and status stay unchanged
         * @description A turn in progress is put back and continues at the next start.
         */
        readonly post: operations["post_api_persona_persona_id_stop"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/tools": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The tools of the persona: its tool servers with the mode of each tool, and its own tools
         * @description The servers as declared, with secrets as `***`, and their current state. Does not contact them. Tools and web hosts without a decision ask the user each time.
         */
        readonly get: operations["get_api_persona_persona_id_tools"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/tools/{server}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Declare a tool server of the persona, or change one: one entry of the mcpServers form. A secret sent as *** is not changed
         * @description Values of `env` and `headers`, the query of the URL, and all other values that are or may be secrets are stored in the secrets file, unless `plain_values` names them. The persona is not restarted, and the decisions about its tools stay.
         */
        readonly put: operations["put_api_persona_persona_id_tools_server"];
        readonly post?: never;
        /**
         * Remove a tool server with its secrets and the decisions about its tools
         * @description Its processes are ended.
         */
        readonly delete: operations["delete_api_persona_persona_id_tools_server"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/tools/{server}/{tool}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Set whether a tool is off, used after asking the user, or always allowed
         * @description A tool is allowed with its current definition. If the server changes that, the user is asked again.
         */
        readonly patch: operations["patch_api_persona_persona_id_tools_server_tool"];
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/tools/{server}/probe": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Connect to a tool server again, and report why if that fails
         * @description Starts or connects it and lists its tools. `reason` is the cause of a failure. `authorize` is the address where the user signs in, if the server requires that.
         */
        readonly post: operations["post_api_persona_persona_id_tools_server_probe"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/tools/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Declare tool servers from the pasted configuration of another app. Adds all of them, or none
         * @description The forms are those of `tools/read`. Names are changed to at most 32 letters, digits, hyphens and underscores. Servers that are disabled there are left out and listed.
         */
        readonly post: operations["post_api_persona_persona_id_tools_import"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/tools/judge": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Judge which values of declarations are secrets. Stores nothing and returns no values
         * @description An `unsure` value is stored as a secret unless `plain_values` of the declaration names it. Values that are not listed are plain.
         */
        readonly post: operations["post_api_persona_persona_id_tools_judge"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/tools/read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Parse a pasted configuration of another app, and return its servers as mcpServers. Stores nothing
         * @description Forms that are read: `mcpServers` (Claude Desktop, Claude Code, Cursor, Windsurf, Cline, Gemini CLI, LM Studio; Continue (YAML list)), `context_servers` (Zed), `mcp_servers` (Codex (TOML)), `mcp.servers` (VS Code, in its settings), `experimental.modelContextProtocolServers` (Continue, older versions), `servers` (VS Code, in mcp.json), `mcp` (OpenCode), `command or url` (one server without a name), `the names of the servers` (the inner part of a configuration); as `text` also JSON with comments, TOML, YAML, an address, a line of a shell that starts a server (`npx -y …`) and one by which an app adds it (`claude mcp add …`). What is wrong is told for each server.
         */
        readonly post: operations["post_api_persona_persona_id_tools_read"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/turns/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A turn of the persona: its messages, perceptions, thoughts, actions, new knowledge, reply and cost
         * @description With `bodies` each model call is returned as it was sent and answered.
         */
        readonly get: operations["get_api_persona_persona_id_turns_id"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/turns/{id}/compare": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send the first model call of a turn to another model. Nothing is stored or carried out
         * @description The call is sent unchanged, so that the answers of two models can be compared. It costs as much as any call.
         */
        readonly post: operations["post_api_persona_persona_id_turns_id_compare"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/undo": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Undo the effect of one fact of the journal by new facts
         * @description The fact itself stays. If other facts depend on it, or it cannot be undone, the request is refused with the reason.
         */
        readonly post: operations["post_api_persona_persona_id_undo"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Change the status, name or organs. A running agent uses them immediately
         * @description Fields that are not sent stay. Organs are checked before anything is stored.
         */
        readonly post: operations["post_api_persona_persona_id_update"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/usage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Tokens, time and money: in total, by organ, model, cause and day
         * @description Sums over the calls in the journal. Each call is priced by the list of its time.
         */
        readonly get: operations["get_api_persona_persona_id_usage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/{persona_id}/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Recompute the hash chain of the whole journal, and check the files next to it
         * @description Reads every record and computes its hash. Returns the position of the first bad one.
         */
        readonly post: operations["post_api_persona_persona_id_verify"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Create a persona and start it
         * @description Its organs are checked before anything is stored. The response contains the recovery phrase, which is never returned again.
         */
        readonly post: operations["post_api_persona_create"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/persona/migrate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Restore a persona from its diary, with newly declared organs, and start it
         * @description A form with the diary, its recovery phrase and the organs. The whole diary is checked before anything changes.
         */
        readonly post: operations["post_api_persona_migrate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personas": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * All personas, the oldest first
         * @description Each persona, whether it is running, and its model.
         */
        readonly get: operations["get_api_personas"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/push": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The public key for push subscriptions of browsers
         * @description A VAPID public key, as `applicationServerKey` of `PushManager.subscribe` takes it.
         */
        readonly get: operations["get_api_push"];
        readonly put?: never;
        /**
         * Notify this browser of messages while its page is closed
         * @description The body is `PushSubscription.toJSON()`. Messages that a persona sends on its own initiative go to every browser, answers only if no page is open. They are encrypted for the browser, so that its push service cannot read them.
         */
        readonly post: operations["post_api_push"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/push/forget": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Stop notifications to this browser
         * @description Its endpoint is deleted from the home before the response is sent.
         */
        readonly post: operations["post_api_push_forget"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/push/try": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a test notification to this browser
         * @description Calls its push service once and returns the result.
         */
        readonly post: operations["post_api_push_try"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The metrics of the daemon, as Prometheus text
         * @description In the text format of Prometheus, version 0.0.4. Contains no names, ids or texts of personas and users.
         */
        readonly get: operations["get_metrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/chat/completions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a chat completion to a persona. It remembers the message only with `store`
         * @description For any client of OpenAI’s API. `model` is the id or the name of a running persona. Tools and sampling parameters are ignored.
         */
        readonly post: operations["post_v1_chat_completions"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/models": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The running personas, as models of OpenAI’s API
         * @description In the format of OpenAI’s API.
         */
        readonly get: operations["get_v1_models"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/models/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * One running persona, by its id or its name
         * @description In the format of OpenAI’s API.
         */
        readonly get: operations["get_v1_models_id"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly AddedSkill: {
            /** @description It replaced a skill of the same name and must be enabled again. */
            readonly changed: boolean;
            readonly description: string;
            /** @description The persona may use it: the user has enabled this version. */
            readonly enabled: boolean;
            readonly files: readonly {
                readonly bytes: number;
                readonly path: string;
            }[];
            readonly name: string;
            /** @description Hash of all its bytes. Another hash is another skill. */
            readonly sha256: string;
        };
        readonly Approval: {
            /** @description It is allowed always, but the user has not seen this address yet. */
            readonly again: boolean;
            readonly asked_at: string;
            /** @description It was allowed, but its definition has changed. */
            readonly changed: boolean;
            /** @description Its position in the journal. */
            readonly id: number;
            readonly input: unknown;
            readonly server: string;
            readonly tool: string;
            readonly turn: number;
        };
        readonly ApprovalRequest: {
            /** @enum {string} */
            readonly decision: "once" | "always" | "no";
        };
        readonly Approvals: {
            readonly approvals: readonly components["schemas"]["Approval"][];
        };
        readonly ApprovalSettled: {
            /** @constant */
            readonly status: "settled";
        };
        readonly AuditLine: {
            readonly at: string;
            /** @description Who caused it, in which life and turn, and which fact it undoes. */
            readonly cause: {
                readonly by: string;
                readonly life?: number;
                readonly turn?: number;
                readonly undoes?: number;
            };
            /** @description The same for all facts that were written in one commit. */
            readonly commit: string;
            /**
             * @description Only present if the payload was erased.
             * @constant
             */
            readonly erased?: true;
            /** @description Chain hash, hex. */
            readonly hash: string;
            readonly payload: {
                readonly [key: string]: unknown;
            } | null;
            /** @description The hash of the fact before it, 64 zeros for the first. */
            readonly prev: string;
            /** @description Position in the journal. */
            readonly seq: number;
            readonly type: string;
            /** @description Version of the payload format. */
            readonly version: number;
        };
        readonly Body_attach: {
            /** @default  */
            readonly caption: string;
            /** Format: binary */
            readonly file: string;
        };
        readonly Body_feed: {
            /** Format: binary */
            readonly history: string;
            /** @description Numbers of the conversations to import, as in the preview, from 1: `1,3,4`. Default: all. */
            readonly only?: string;
            /** @description The recovery phrase that opens a diary of Eternego. Not stored. */
            readonly phrase?: string;
            /** @description Name of the AI that exported it. Any name. */
            readonly source: string;
        };
        readonly Body_hear: {
            /** Format: binary */
            readonly audio: string;
            /** @default  */
            readonly caption: string;
        };
        readonly Body_migrate: {
            readonly api_key?: string;
            /** Format: binary */
            readonly diary: string;
            readonly discord_token?: string;
            readonly ear_api_key?: string;
            readonly ear_model?: string;
            readonly ear_provider?: string;
            readonly ear_url?: string;
            readonly eye_api_key?: string;
            readonly eye_model?: string;
            readonly eye_provider?: string;
            readonly eye_url?: string;
            readonly imagination_api_key?: string;
            readonly imagination_model?: string;
            readonly imagination_provider?: string;
            readonly imagination_url?: string;
            readonly model: string;
            readonly mouth_api_key?: string;
            readonly mouth_model?: string;
            readonly mouth_provider?: string;
            readonly mouth_url?: string;
            /** @description The 24 words of its recovery phrase. */
            readonly phrase: string;
            readonly provider?: string;
            readonly researcher_api_key?: string;
            readonly researcher_model?: string;
            readonly researcher_provider?: string;
            readonly researcher_url?: string;
            readonly teacher_api_key?: string;
            readonly teacher_model?: string;
            readonly teacher_provider?: string;
            readonly teacher_url?: string;
            readonly telegram_token?: string;
            readonly url?: string;
        };
        readonly Body_skill: {
            readonly offered?: string;
            /** Format: binary */
            readonly skill?: string;
        };
        readonly BuiltinTool: {
            readonly description: string;
            /** @description For read_page: the web hosts with a decision. For all others the user is asked. */
            readonly hosts?: readonly components["schemas"]["WebHost"][];
            readonly name: string;
        };
        readonly Calendar: {
            /** @description Planned entries. For recurring ones, only the next time. */
            readonly destiny: {
                readonly reminder: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
                    readonly time: string;
                    /** @description Source of text in it that the user did not write. */
                    readonly via?: {
                        readonly by: string | null;
                        /** @enum {string} */
                        readonly from: "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted" | "file" | "page" | "tool" | "skill" | "teacher" | "history" | "talk";
                    };
                }[];
                readonly schedule: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
                    readonly time: string;
                    /** @description Source of text in it that the user did not write. */
                    readonly via?: {
                        readonly by: string | null;
                        /** @enum {string} */
                        readonly from: "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted" | "file" | "page" | "tool" | "skill" | "teacher" | "history" | "talk";
                    };
                }[];
            };
            readonly end: string;
            /** @description Days that are over and entries that fell due, at their planned time. */
            readonly history: {
                readonly conversation: readonly {
                    readonly body: string;
                    readonly time: string;
                }[];
                readonly reminder: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
                    readonly time: string;
                    /** @description Source of text in it that the user did not write. */
                    readonly via?: {
                        readonly by: string | null;
                        /** @enum {string} */
                        readonly from: "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted" | "file" | "page" | "tool" | "skill" | "teacher" | "history" | "talk";
                    };
                }[];
                readonly schedule: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
                    readonly time: string;
                    /** @description Source of text in it that the user did not write. */
                    readonly via?: {
                        readonly by: string | null;
                        /** @enum {string} */
                        readonly from: "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted" | "file" | "page" | "tool" | "skill" | "teacher" | "history" | "talk";
                    };
                }[];
            };
            readonly start: string;
        };
        readonly CalendarEntry: {
            readonly body: string;
            readonly id: string;
            /** @enum {string} */
            readonly kind: "reminder" | "schedule";
            readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
            /** @description Its next time, with the offset. */
            readonly time: string;
            /** @description The same as local time in `zone`. */
            readonly when: string;
            /** @description The zone that was given. UTC for a single entry in the second occurrence of a repeated hour, which has no name in its zone. */
            readonly zone: string;
        };
        readonly CalendarEntryChange: {
            readonly content?: string;
            /** @enum {string} */
            readonly kind?: "reminder" | "schedule";
            /** @description Null ends the recurrence: the entry comes once more, at its next time. */
            readonly recurrence?: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
            /** @description Local date and time, as 2026-11-24T09:00, or one with an offset. */
            readonly when?: string;
            /** @description IANA name of its new time zone. Null means the zone of the daemon. Without `when`, the local time stays. */
            readonly zone?: string | null;
        };
        readonly CalendarEntryRequest: {
            readonly content: string;
            /**
             * @default reminder
             * @enum {string}
             */
            readonly kind: "reminder" | "schedule";
            readonly recurrence?: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
            /** @description Local date and time, as 2026-11-24T09:00, or one with an offset. A recurring entry starts at its first time from then on. */
            readonly when: string;
            /** @description IANA name of its time zone. Default: the zone of the daemon. */
            readonly zone?: string | null;
        };
        readonly CallBody: {
            /** @description Null if another fact contains it. */
            readonly answer: {
                readonly calls: readonly {
                    readonly [key: string]: unknown;
                }[];
                readonly text: string;
            } | null;
            readonly cause: string;
            readonly dated: string | null;
            /** @description Position of the answer in the journal. */
            readonly id: number;
            readonly model: string;
            readonly ms: number;
            /** @enum {string} */
            readonly organ: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
            /** @description The parts that the call was made of, in order. Null if they were not stored. */
            readonly parts: readonly {
                /** @description The fact that contains the text. Null for the daemon’s own text. */
                readonly from: number | null;
                /** @description No longer stored, or lost. */
                readonly gone: boolean;
                readonly sha256: string | null;
                readonly text: string | null;
            }[] | null;
            readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
            /** @description Null for calls of organs without tools: `parts` has their text, and their file is a fact. */
            readonly sent: {
                readonly messages: readonly {
                    readonly [key: string]: unknown;
                }[];
                readonly system: string;
                /** @description Null if they are no longer stored. */
                readonly tools: readonly {
                    readonly [key: string]: unknown;
                }[] | null;
            } | null;
            readonly step: number | null;
            readonly tries: number;
            readonly usage: {
                readonly cached: number | null;
                readonly input: number | null;
                readonly made: {
                    readonly count: number;
                    /** @enum {string} */
                    readonly unit: "image" | "character" | "second";
                } | null;
                readonly output: number | null;
            };
            readonly usd: number | null;
            /** @description The restored call has the hash of the original, so it is exactly the one that was sent. */
            readonly verified: boolean;
        };
        readonly Changes: {
            readonly channels: {
                readonly added: readonly components["schemas"]["ChannelView"][];
                readonly changed: readonly {
                    readonly after: components["schemas"]["ChannelView"];
                    readonly before: components["schemas"]["ChannelView"];
                }[];
                readonly removed: readonly components["schemas"]["ChannelView"][];
            };
            readonly from: components["schemas"]["Moment"];
            readonly instructions: {
                readonly learned: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly intention: string;
                }[];
                readonly removed: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly intention: string;
                }[];
                readonly revised: readonly {
                    readonly after: string;
                    readonly before: string;
                    readonly id: string;
                }[];
            };
            readonly memories: {
                /** @description Their text before. */
                readonly forgotten: readonly components["schemas"]["Memory"][];
                readonly kept: readonly components["schemas"]["Memory"][];
                readonly revised: readonly {
                    readonly after: string;
                    readonly before: string;
                    /** @enum {string} */
                    readonly document: "person" | "traits" | "persona-trait" | "wishes" | "struggles" | "permissions";
                    readonly id: string;
                }[];
            };
            /** @description Messages in between. */
            readonly messages: {
                readonly person: number;
                readonly persona: number;
            };
            readonly name: {
                readonly after: string;
                readonly before: string;
            } | null;
            readonly organs: readonly {
                readonly after: components["schemas"]["OrganView"] | null;
                readonly before: components["schemas"]["OrganView"] | null;
                /** @enum {string} */
                readonly slot: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
            }[];
            readonly plans: {
                readonly cancelled: readonly components["schemas"]["CalendarEntry"][];
                readonly fallen_due: readonly components["schemas"]["CalendarEntry"][];
                readonly moved: readonly {
                    readonly after: components["schemas"]["CalendarEntry"];
                    readonly before: components["schemas"]["CalendarEntry"];
                    readonly id: string;
                }[];
                readonly planned: readonly components["schemas"]["CalendarEntry"][];
            };
            readonly status: {
                /** @enum {string} */
                readonly after: "active" | "hibernate" | "sick";
                /** @enum {string} */
                readonly before: "active" | "hibernate" | "sick";
            } | null;
            readonly to: components["schemas"]["Moment"];
            /** @description Usage of the calls in between. */
            readonly usage: {
                readonly causes: readonly {
                    /** @description Input tokens that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    /** @enum {string} */
                    readonly cause: "turn" | "perception" | "tool" | "api" | "consolidation" | "history";
                    readonly characters: number;
                    /** @description Dates of the price lists that were used. */
                    readonly dated: readonly string[];
                    /** @description Calls without an answer. Their cost is unknown. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    readonly output: number;
                    readonly seconds: number;
                    /** @description Number of calls to a provider, with retries. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null if no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly days: readonly {
                    /** @description Input tokens that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists that were used. */
                    readonly dated: readonly string[];
                    readonly day: string;
                    /** @description Calls without an answer. Their cost is unknown. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    readonly output: number;
                    readonly seconds: number;
                    /** @description Number of calls to a provider, with retries. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null if no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly models: readonly {
                    /** @description Input tokens that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists that were used. */
                    readonly dated: readonly string[];
                    /** @description Calls without an answer. Their cost is unknown. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly model: string;
                    readonly ms: number;
                    readonly output: number;
                    readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
                    readonly seconds: number;
                    /** @description Number of calls to a provider, with retries. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null if no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly organs: readonly {
                    /** @description Input tokens that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists that were used. */
                    readonly dated: readonly string[];
                    /** @description Calls without an answer. Their cost is unknown. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    /** @enum {string} */
                    readonly organ: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
                    readonly output: number;
                    readonly seconds: number;
                    /** @description Number of calls to a provider, with retries. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null if no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly total: components["schemas"]["Sum"];
            };
        };
        readonly ChannelCreated: {
            readonly kind: string;
        };
        readonly ChannelCreateRequest: {
            readonly credentials: {
                /** @description Token of the bot, from its platform. */
                readonly token: string;
            };
            /** @description telegram or discord. */
            readonly kind: string;
        };
        readonly ChannelPaired: {
            readonly channel: components["schemas"]["ChannelRecord"];
            readonly persona: components["schemas"]["PersonaRecord"];
        };
        readonly ChannelRecord: {
            readonly credentials: {
                readonly token: string;
            };
            /** @description The paired chat. Before pairing, the user name of the bot. */
            readonly name: string;
            /** @enum {string} */
            readonly type: "telegram" | "discord";
            readonly verified_at: string | null;
        };
        readonly ChannelRemoved: {
            readonly removed: string;
        };
        readonly ChannelView: {
            readonly name: string;
            /** @enum {string} */
            readonly type: "web" | "telegram" | "discord";
            readonly verified: boolean;
        };
        readonly ChatCompletion: {
            readonly choices: readonly {
                /**
                 * @description `length`: the answer ends at the limit of the model behind the persona.
                 * @enum {string}
                 */
                readonly finish_reason: "stop" | "length";
                readonly index: number;
                readonly logprobs: null;
                readonly message: {
                    readonly content: string;
                    readonly refusal: null;
                    /** @constant */
                    readonly role: "assistant";
                };
            }[];
            /** @description Seconds since 1970. */
            readonly created: number;
            readonly id: string;
            /** @description The id of the persona. */
            readonly model: string;
            /** @constant */
            readonly object: "chat.completion";
            readonly usage: components["schemas"]["CompletionUsage"];
        };
        readonly ChatCompletionChunk: {
            readonly choices: readonly {
                readonly delta: {
                    readonly content?: string;
                    /** @constant */
                    readonly role?: "assistant";
                };
                readonly finish_reason: ("stop" | "length") | null;
                readonly index: number;
                readonly logprobs: null;
            }[];
            /** @description Seconds since 1970. */
            readonly created: number;
            readonly id: string;
            /** @description The id of the persona. */
            readonly model: string;
            /** @constant */
            readonly object: "chat.completion.chunk";
            /** @description Only with `stream_options.include_usage`: in the last chunk, null before. */
            readonly usage?: components["schemas"]["CompletionUsage"] | null;
        };
        readonly ChatCompletionRequest: {
            readonly messages: readonly components["schemas"]["ChatMessage"][];
            /** @description The id of a running persona, or its name if no other running persona has it. */
            readonly model: string;
            /** @description Whether it remembers the newest message of the user and its answer. */
            readonly store?: boolean | null;
            readonly stream?: boolean | null;
            readonly stream_options?: {
                readonly include_usage?: boolean | null;
            } | null;
        };
        readonly ChatMessage: {
            readonly content?: (string | readonly ({
                readonly text: string;
                /** @constant */
                readonly type: "text";
            } | {
                readonly image_url: {
                    /** @description A data: URL of a PNG, JPEG, GIF or WebP picture. Nothing is fetched. */
                    readonly url: string;
                };
                /** @constant */
                readonly type: "image_url";
            } | {
                readonly refusal: string;
                /** @constant */
                readonly type: "refusal";
            })[]) | null;
            /** @enum {string} */
            readonly role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
        };
        readonly Compared: {
            readonly answer: string;
            /** @description Tool calls in its answer. None is carried out. */
            readonly calls: readonly {
                readonly id: string;
                readonly input: unknown;
                readonly name: string;
            }[];
            readonly ms: number;
            readonly price: {
                readonly dated: string;
                readonly usd: number;
            } | null;
            readonly usage: {
                readonly cached: number | null;
                readonly input: number | null;
                readonly made: {
                    readonly count: number;
                    /** @enum {string} */
                    readonly unit: "image" | "character" | "second";
                } | null;
                readonly output: number | null;
            };
        };
        readonly CompareRequest: {
            readonly api_key?: string | null;
            readonly model: string;
            readonly provider?: string | null;
            readonly url?: string | null;
        };
        readonly CompletionUsage: {
            readonly completion_tokens: number;
            readonly prompt_tokens: number;
            readonly prompt_tokens_details: {
                readonly cached_tokens: number;
            };
            readonly total_tokens: number;
        };
        readonly Conversation: {
            readonly has_more: boolean;
            readonly messages: readonly components["schemas"]["ConversationMessage"][];
        };
        readonly ConversationMessage: {
            readonly channel: {
                readonly name: string;
                readonly topic?: string;
                /** @enum {string} */
                readonly type: "web" | "telegram" | "discord";
            } | null;
            readonly content: string;
            /** @description Delivery of the message to its platform. Null if there was none. */
            readonly delivery: {
                readonly reason: string | null;
                /** @enum {string} */
                readonly state: "waiting" | "sent" | "failed";
            } | null;
            readonly id: number;
            readonly media: components["schemas"]["MediaView"] | null;
            /** @description Sources of its text, if the user did not write everything. */
            readonly parts?: readonly {
                readonly by: string | null;
                /** @enum {string} */
                readonly from: "person" | "persona" | "daemon" | "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted";
                readonly text: string;
            }[];
            /** @enum {string} */
            readonly role: "person" | "assistant";
            readonly step: number | null;
            readonly time: string;
            readonly turn: number | null;
        };
        readonly ConversationPreview: {
            /** @description It was imported already and will be skipped. */
            readonly known: boolean;
            readonly messages: number;
            /** @description Time of the last change. */
            readonly time: string | null;
            readonly title: string;
        };
        readonly Diagnosis: {
            readonly channels: readonly {
                readonly name: string;
                /** @description Why it does not work. */
                readonly reason: string | null;
                /** @enum {string} */
                readonly state: "well" | "failing";
                /** @enum {string} */
                readonly type: "telegram" | "discord";
                readonly verified: boolean;
                /** @description Messages of the persona that are not delivered yet. */
                readonly waiting: number;
            }[];
            /** @description Diaries in the daemon. Null if the disk cannot be read. */
            readonly diaries: {
                readonly kept: number;
                readonly last: {
                    readonly bytes: number;
                    readonly events: number;
                    readonly time: string;
                } | null;
                /** @description Number of diaries that only an older phrase opens. */
                readonly older: number;
            } | null;
            /** @description Only if DAIMON_EMBEDDINGS names a model. */
            readonly embeddings?: {
                readonly model: string;
                /** @description Why nothing is being embedded. */
                readonly reason: string | null;
                /** @description Tokens used, if the provider reports them. */
                readonly tokens: number;
                /** @description Position in the journal up to which all searchable text is embedded. */
                readonly up_to: number;
                readonly vectors: number;
            };
            /** @description Seconds of silence before consolidation. */
            readonly idle_timeout: number;
            readonly journal: {
                /** @description Size on disk. */
                readonly bytes: number;
                /** @description From the recent growth of the journal. Null if there were few messages. */
                readonly bytes_per_1000_messages: number | null;
                /** @description Only in a cluster: how durable an acknowledged commit is. */
                readonly durability?: {
                    /** @description Seconds since the servers reported this. */
                    readonly age: number;
                    /** @description Replicas that follow their leader now. */
                    readonly current: number;
                    /** @description Settings of the servers that differ from those the daemon asks for. Should be empty. */
                    readonly differs: readonly string[];
                    /** @constant */
                    readonly engine: "jetstream";
                    /** @description Servers that store each commit. Most of them must acknowledge it. */
                    readonly replicas: number;
                    /** @description Version of the server that the daemon is connected to. */
                    readonly server: string;
                };
                readonly events: number;
                /** @description Chain hash of the last record, hex. */
                readonly head: string;
                /** @description When the whole chain was last found intact. Null if unknown. */
                readonly verified_at: string | null;
            };
            readonly mind: {
                /** @description The last thirty days that are over, the newest first. */
                readonly archive: readonly {
                    readonly body: string;
                    readonly time: string;
                }[];
                /** @description The summary of everything before that it keeps in its context. */
                readonly context: string;
                /** @description Messages since the last consolidation, the oldest first. The last hundred, long ones cut. */
                readonly messages: readonly {
                    readonly content: string;
                    readonly id: number;
                    /** @enum {string} */
                    readonly role: "person" | "assistant";
                    readonly time: string;
                }[];
            };
            /** @description The organs that it has. */
            readonly organs: {
                readonly [key: string]: components["schemas"]["OrganHealth"];
            };
            /** @description Why it is not well or not awake. Null if no problem is known. */
            readonly reason: string | null;
            readonly running: boolean;
            /** @enum {string} */
            readonly status: "active" | "hibernate" | "sick";
            /** @description 24 rows of 60 minutes, the newest first in both directions, starting with the current minute. A row covers `from` to `to`, exclusive. */
            readonly uptime: {
                readonly rows: readonly {
                    readonly cells: readonly {
                        readonly at: string;
                        readonly fault: boolean;
                        /** @description That failed. */
                        readonly providers: readonly ("local" | "anthropic" | "openai" | "xai" | "gemini")[];
                        /** @description Signals in this minute. */
                        readonly signals: readonly ("woke" | "stopped" | "waking failed" | "turn" | "perception" | "program" | "reminder" | "consolidation" | "sleep" | "organ failed" | "recovered" | "sick" | "salvaged")[];
                        /** @description A tick ran in this minute. */
                        readonly tick: boolean;
                    }[];
                    readonly from: string;
                    readonly to: string;
                }[];
            };
            /** @description Version of the daemon. */
            readonly version: string;
        };
        readonly Erased: {
            /** @description Facts that were derived from the same text. Erased if `also` is set, otherwise unchanged. */
            readonly also: readonly number[];
            /** @description Number of diaries in the daemon that contained the text. Removed if `diaries` is set. */
            readonly diaries: number;
            readonly erased: readonly number[];
            /** @description Other personas with the same facts: its forks, the persona it was forked from, and forks of those. */
            readonly forks: readonly {
                /** @description Positions of the facts that it also has. */
                readonly facts: readonly number[];
                readonly id: string;
                readonly name: string;
                /**
                 * @description Result for the text there.
                 * @enum {string}
                 */
                readonly outcome: "kept" | "erased" | "refused";
                /** @description Why it could not be erased there. */
                readonly reason: string | null;
            }[];
            /** @description Times when those diaries were written. */
            readonly held_in: readonly string[];
        };
        readonly EraseRequest: {
            /** @description Also erases facts that were derived from them. */
            readonly also?: boolean;
            /** @description Also removes the diaries in the daemon that contain the text. */
            readonly diaries?: boolean;
            /** @description Also erases the text in other personas with the same past: `true` for all of them, or a list of ids. */
            readonly forks?: boolean | readonly string[];
            /** @description Erases nothing and returns the facts that would be erased. */
            readonly preview?: boolean;
            /** @description Positions of the facts, as listed by `journal`. */
            readonly seqs: readonly number[];
        };
        readonly Found: {
            readonly channel: {
                readonly name: string;
                readonly topic?: string;
                /** @enum {string} */
                readonly type: "web" | "telegram" | "discord";
            } | null;
            /** @description Position in the journal. */
            readonly id: number;
            /** @description Id of the instruction. */
            readonly instruction: string | null;
            /** @enum {string} */
            readonly kind: "said" | "file" | "memory" | "plan" | "instruction" | "day" | "history";
            readonly media: components["schemas"]["MediaView"] | null;
            /** @description Id of the statement. */
            readonly memory: string | null;
            /** @description Id of the message, or of the message that contains the file. */
            readonly message: number | null;
            /** @description Its last state: local time in its zone, and whether it is still to come. */
            readonly plan: {
                readonly id: string;
                /** @enum {string} */
                readonly kind: "reminder" | "schedule";
                readonly open: boolean;
                readonly wall: string;
                readonly zone: string;
            } | null;
            /** @description Author of the message, or sender of the file. */
            readonly role: ("person" | "assistant") | null;
            /** @description The part around the first match, about 300 characters at most. */
            readonly text: string;
            readonly time: string;
            readonly turn: number | null;
        };
        readonly Greeted: {
            /** @enum {string} */
            readonly status: "greeting" | "quiet";
        };
        readonly Health: {
            /** @description Log lines that could not be written since the daemon started. */
            readonly log_lines_dropped: number;
            /** @constant */
            readonly status: "ok";
            /** @description Seconds. */
            readonly uptime: number;
            readonly version: string;
            /** @description Problems of the daemon itself, and how to fix them. Empty if there are none. */
            readonly warnings: readonly string[];
            /** @description IANA name of the time zone of the daemon. */
            readonly zone: string;
        };
        readonly History: {
            /** @description The last fact at that moment. */
            readonly at: components["schemas"]["Moment"];
            /** @description Entries that were planned, and entries that had fallen due but were not delivered yet. */
            readonly calendar: {
                readonly due: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
                    readonly time: string;
                    /** @description Source of text in it that the user did not write. */
                    readonly via?: {
                        readonly by: string | null;
                        /** @enum {string} */
                        readonly from: "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted" | "file" | "page" | "tool" | "skill" | "teacher" | "history" | "talk";
                    };
                }[];
                readonly reminder: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
                    readonly time: string;
                    /** @description Source of text in it that the user did not write. */
                    readonly via?: {
                        readonly by: string | null;
                        /** @enum {string} */
                        readonly from: "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted" | "file" | "page" | "tool" | "skill" | "teacher" | "history" | "talk";
                    };
                }[];
                readonly schedule: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
                    readonly time: string;
                    /** @description Source of text in it that the user did not write. */
                    readonly via?: {
                        readonly by: string | null;
                        /** @enum {string} */
                        readonly from: "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted" | "file" | "page" | "tool" | "skill" | "teacher" | "history" | "talk";
                    };
                }[];
            };
            /** @description The last fifty messages. */
            readonly conversation: readonly components["schemas"]["ConversationMessage"][];
            /** @description The last fifty days that were over. */
            readonly days: readonly {
                readonly body: string;
                readonly time: string;
            }[];
            /** @description The instructions it had learned. */
            readonly instructions: readonly {
                readonly body: string;
                readonly id: string;
                readonly intention: string;
            }[];
            /** @description As returned by the route of that name. Built-in instructions are the current ones. */
            readonly knowledge: components["schemas"]["Knowledge"];
            readonly memories: readonly components["schemas"]["Memory"][];
            /** @description Without keys and tokens, which the journal does not contain. */
            readonly persona: components["schemas"]["PersonaRecord"];
            /** @enum {string} */
            readonly status: "active" | "hibernate" | "sick";
            readonly usage: {
                readonly causes: readonly {
                    /** @description Input tokens that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    /** @enum {string} */
                    readonly cause: "turn" | "perception" | "tool" | "api" | "consolidation" | "history";
                    readonly characters: number;
                    /** @description Dates of the price lists that were used. */
                    readonly dated: readonly string[];
                    /** @description Calls without an answer. Their cost is unknown. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    readonly output: number;
                    readonly seconds: number;
                    /** @description Number of calls to a provider, with retries. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null if no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly days: readonly {
                    /** @description Input tokens that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists that were used. */
                    readonly dated: readonly string[];
                    readonly day: string;
                    /** @description Calls without an answer. Their cost is unknown. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    readonly output: number;
                    readonly seconds: number;
                    /** @description Number of calls to a provider, with retries. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null if no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly models: readonly {
                    /** @description Input tokens that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists that were used. */
                    readonly dated: readonly string[];
                    /** @description Calls without an answer. Their cost is unknown. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly model: string;
                    readonly ms: number;
                    readonly output: number;
                    readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
                    readonly seconds: number;
                    /** @description Number of calls to a provider, with retries. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null if no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly organs: readonly {
                    /** @description Input tokens that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists that were used. */
                    readonly dated: readonly string[];
                    /** @description Calls without an answer. Their cost is unknown. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    /** @enum {string} */
                    readonly organ: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
                    readonly output: number;
                    readonly seconds: number;
                    /** @description Number of calls to a provider, with retries. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null if no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly total: components["schemas"]["Sum"];
            };
        };
        readonly HistoryPreview: {
            readonly conversations: readonly components["schemas"]["ConversationPreview"][];
            /** @description Sentences for the user: that no conversation was found, and the notes. */
            readonly detail?: string;
            /** @description One sentence for each guessed encoding, and one with the parts that were left out and the reasons. */
            readonly notes?: readonly string[];
        };
        readonly HTTPValidationError: {
            readonly detail: readonly components["schemas"]["ValidationError"][];
        };
        readonly Hushed: {
            /** @enum {string} */
            readonly status: "hushed" | "quiet";
        };
        readonly JudgedValue: {
            readonly end: number;
            /** @enum {string} */
            readonly field: "command" | "args" | "env" | "url" | "headers" | "client_secret";
            /** @description Index in `args`, or name in `env` and `headers`. */
            readonly key: (string | number) | null;
            /** @description Name of its option, variable, header or field. */
            readonly name: string | null;
            readonly server: string;
            /** @description In UTF-16 units of the text, up to `end`. */
            readonly start: number;
            /** @enum {string} */
            readonly verdict: "secret" | "unsure";
        };
        readonly Knowledge: {
            readonly instruction: readonly {
                readonly body: string;
                readonly intention: string;
                /** @enum {string} */
                readonly source: "builtin" | "custom";
            }[];
            /** @description Markdown; a document without a statement is left out. */
            readonly memory: {
                readonly [key: string]: string;
            };
        };
        readonly MediaView: {
            readonly by?: string | null;
            readonly caption: string;
            readonly filename: string;
            /**
             * @description How the user got it, if it was forwarded from someone else.
             * @enum {string}
             */
            readonly from?: "person" | "persona" | "daemon" | "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted";
            readonly mime: string;
            readonly name: string;
            readonly url: string;
        };
        readonly Memories: {
            readonly memories: readonly components["schemas"]["Memory"][];
            /** @description Proposals of programs. The persona knows none of them until it is accepted. */
            readonly proposed: readonly components["schemas"]["Proposal"][];
        };
        readonly Memory: {
            /** @enum {string} */
            readonly document: "person" | "traits" | "persona-trait" | "wishes" | "struggles" | "permissions";
            readonly forgotten: boolean;
            readonly id: string;
            /**
             * @description Who made it: the persona in a turn or during consolidation, or the user, by hand or by accepting a proposal.
             * @enum {string}
             */
            readonly origin: "persona" | "person" | "consolidation" | "history";
            /** @description Records of the journal that it comes from. Empty if it was written by hand. */
            readonly sources: readonly number[];
            readonly text: string;
            readonly time: string;
            /** @description Source of text in it that the user did not write. Null if the user wrote everything. A marked statement grants nothing. */
            readonly via: {
                readonly by: string | null;
                /** @enum {string} */
                readonly from: "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted" | "file" | "page" | "tool" | "skill" | "teacher" | "history" | "talk";
            } | null;
        };
        readonly MemoryChange: {
            readonly forgotten?: boolean | null;
            readonly text?: string | null;
        };
        readonly MemoryRequest: {
            /** @enum {string} */
            readonly document: "person" | "traits" | "persona-trait" | "wishes" | "struggles" | "permissions";
            readonly text: string;
        };
        readonly Model: {
            /** @description Seconds since 1970. */
            readonly created: number;
            /** @description The id of a running persona. */
            readonly id: string;
            /** @constant */
            readonly object: "model";
            /** @constant */
            readonly owned_by: "daimon";
        };
        readonly ModelDetails: {
            /** @description Size of its file. Null if unknown. */
            readonly bytes: number | null;
            readonly name: string;
            /** @description Whether it can call tools. Null if unknown. */
            readonly tools: boolean | null;
        };
        readonly ModelList: {
            readonly data: readonly components["schemas"]["Model"][];
            /** @constant */
            readonly object: "list";
        };
        readonly ModelNames: {
            /** @description Details of local models, if requested. */
            readonly details?: readonly components["schemas"]["ModelDetails"][];
            /** @description Memory of this machine in bytes, if details are requested. */
            readonly memory?: number;
            readonly models: readonly string[];
            /** @description Why no model can be listed. Only with details. */
            readonly reason?: string | null;
        };
        readonly ModelsRequest: {
            readonly api_key?: string | null;
            /** @description Return details of local models. If no model can be listed, return the reason and an empty list. */
            readonly details?: boolean | null;
            readonly provider?: string | null;
            readonly url?: string | null;
        };
        readonly Moment: {
            readonly seq: number;
            readonly time: string | null;
        };
        readonly OrganHealth: {
            /**
             * @description Only if its saved key is missing and must be entered again.
             * @constant
             */
            readonly key_missing?: true;
            readonly last_error: {
                readonly kind: ("unreachable" | "barred" | "refused") | null;
                readonly reason: string;
                readonly time: string | null;
            } | null;
            readonly model: string;
            readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
            /** @description Features that its server refused by name since the daemon started. They are no longer requested. */
            readonly server_refuses?: readonly string[];
            /** @enum {string} */
            readonly state: "well" | "failing";
        };
        readonly OrganRecord: {
            readonly api_key: string | null;
            readonly name: string;
            readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
            readonly url: string;
        };
        readonly OrganView: {
            readonly name: string;
            readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
            readonly url: string;
        };
        readonly PairRequest: {
            /** @description The code from the bot's message in the chat. Valid for 10 minutes. Case, spaces and hyphens do not matter. */
            readonly code: string;
        };
        readonly PersonaCreated: {
            readonly persona: components["schemas"]["PersonaRecord"];
            /** @description 24 words. Returned only once. */
            readonly recovery_phrase: string;
        };
        readonly PersonaCreateRequest: {
            readonly discord_token?: string | null;
            readonly ear_api_key?: string | null;
            readonly ear_model?: string | null;
            readonly ear_provider?: string | null;
            readonly ear_url?: string | null;
            readonly eye_api_key?: string | null;
            readonly eye_model?: string | null;
            readonly eye_provider?: string | null;
            readonly eye_url?: string | null;
            readonly imagination_api_key?: string | null;
            readonly imagination_model?: string | null;
            readonly imagination_provider?: string | null;
            readonly imagination_url?: string | null;
            readonly mouth_api_key?: string | null;
            readonly mouth_model?: string | null;
            readonly mouth_provider?: string | null;
            readonly mouth_url?: string | null;
            readonly name: string;
            readonly researcher_api_key?: string | null;
            readonly researcher_model?: string | null;
            readonly researcher_provider?: string | null;
            readonly researcher_url?: string | null;
            readonly teacher_api_key?: string | null;
            readonly teacher_model?: string | null;
            readonly teacher_provider?: string | null;
            readonly teacher_url?: string | null;
            readonly telegram_token?: string | null;
            readonly thinking_api_key?: string | null;
            readonly thinking_model: string;
            readonly thinking_provider?: string | null;
            readonly thinking_url?: string | null;
        };
        readonly PersonaFed: {
            /** @description Sentences for the user: that no conversation was found, and the notes. */
            readonly detail?: string;
            /** @description One sentence for each guessed encoding, and one with the parts that were left out and the reasons. */
            readonly notes?: readonly string[];
            readonly persona: components["schemas"]["PersonaRecord"];
        };
        readonly PersonaForked: {
            readonly persona: components["schemas"]["PersonaRecord"];
            /** @description 24 words of its own. Returned only once. */
            readonly recovery_phrase: string;
        };
        readonly PersonaForkRequest: {
            readonly api_key?: string | null;
            /** @description A position in the journal, or an ISO date or date-time. Without an offset it is in the time zone of the daemon. A time selects the last fact, in the order of the journal, that is not later, even if the clock was changed. Default: now. */
            readonly at?: (number | string) | null;
            readonly ear_api_key?: string | null;
            readonly ear_model?: string | null;
            readonly ear_provider?: string | null;
            readonly ear_url?: string | null;
            readonly eye_api_key?: string | null;
            readonly eye_model?: string | null;
            readonly eye_provider?: string | null;
            readonly eye_url?: string | null;
            readonly imagination_api_key?: string | null;
            readonly imagination_model?: string | null;
            readonly imagination_provider?: string | null;
            readonly imagination_url?: string | null;
            readonly model?: string | null;
            readonly mouth_api_key?: string | null;
            readonly mouth_model?: string | null;
            readonly mouth_provider?: string | null;
            readonly mouth_url?: string | null;
            /** @description Default: its name at that moment. */
            readonly name?: string | null;
            readonly provider?: string | null;
            readonly researcher_api_key?: string | null;
            readonly researcher_model?: string | null;
            readonly researcher_provider?: string | null;
            readonly researcher_url?: string | null;
            readonly teacher_api_key?: string | null;
            readonly teacher_model?: string | null;
            readonly teacher_provider?: string | null;
            readonly teacher_url?: string | null;
            readonly thinking_api_key?: string | null;
            readonly thinking_model?: string | null;
            readonly thinking_provider?: string | null;
            readonly thinking_url?: string | null;
            readonly url?: string | null;
        };
        readonly PersonaList: {
            readonly personas: readonly components["schemas"]["PersonaView"][];
        };
        readonly PersonaMigrated: {
            readonly persona: components["schemas"]["PersonaRecord"];
        };
        readonly PersonaRecord: {
            readonly base_model: string;
            readonly birthday: string;
            readonly channels: readonly components["schemas"]["ChannelRecord"][];
            readonly ear: components["schemas"]["OrganRecord"] | null;
            readonly eye: components["schemas"]["OrganRecord"] | null;
            readonly id: string;
            readonly idle_timeout: number;
            readonly imagination: components["schemas"]["OrganRecord"] | null;
            readonly mouth: components["schemas"]["OrganRecord"] | null;
            readonly name: string;
            readonly researcher: components["schemas"]["OrganRecord"] | null;
            /** @enum {string} */
            readonly status: "active" | "hibernate" | "sick";
            readonly teacher: components["schemas"]["OrganRecord"] | null;
            readonly thinking: components["schemas"]["OrganRecord"] | null;
            readonly version: string;
        };
        readonly PersonaUpdated: {
            readonly running: boolean;
            /** @enum {string} */
            readonly status: "active" | "hibernate" | "sick";
        };
        readonly PersonaUpdateRequest: {
            readonly [key: string]: unknown;
        };
        readonly PersonaView: {
            readonly base_model: string;
            readonly birthday: string;
            readonly channels: readonly components["schemas"]["ChannelView"][];
            readonly ear: components["schemas"]["OrganView"] | null;
            readonly eye: components["schemas"]["OrganView"] | null;
            readonly id: string;
            readonly imagination: components["schemas"]["OrganView"] | null;
            readonly mouth: components["schemas"]["OrganView"] | null;
            readonly name: string;
            readonly researcher: components["schemas"]["OrganView"] | null;
            readonly running: boolean;
            /** @enum {string} */
            readonly status: "active" | "hibernate" | "sick";
            readonly teacher: components["schemas"]["OrganView"] | null;
            readonly thinking: components["schemas"]["OrganView"];
        };
        readonly PhraseChanged: {
            /** @description Time of the first diary that they open. */
            readonly diary: {
                readonly bytes: number;
                readonly events: number;
                readonly time: string;
            };
            /** @description Diaries in the daemon that only an older phrase opens. */
            readonly older: number;
            /** @description 24 words. Returned only once. */
            readonly recovery_phrase: string;
        };
        readonly PhraseConfirmRequest: {
            readonly recipient?: string;
        };
        readonly PhraseState: {
            readonly confirmed: boolean;
            /** @description The public key derived from the words. Diaries are encrypted for it. */
            readonly recipient: string;
        };
        readonly Problem: {
            readonly detail: string;
        };
        readonly Proposal: {
            /** @description Name of the program that proposed it, if it gave one. */
            readonly by: string | null;
            /** @enum {string} */
            readonly document: "person" | "traits" | "persona-trait" | "wishes" | "struggles" | "permissions";
            /** @description Becomes the id of the statement if it is accepted. */
            readonly id: string;
            readonly text: string;
            readonly time: string;
        };
        readonly ProposalAnswer: {
            readonly accepted: boolean;
        };
        readonly ProposalSettled: {
            /** @description Null if it was declined. */
            readonly memory: components["schemas"]["Memory"] | null;
        };
        readonly ProviderConfig: {
            readonly url: string;
        };
        readonly ProvidersConfig: {
            readonly anthropic: components["schemas"]["ProviderConfig"];
            readonly gemini: components["schemas"]["ProviderConfig"];
            readonly local: components["schemas"]["ProviderConfig"];
            readonly openai: components["schemas"]["ProviderConfig"];
            readonly xai: components["schemas"]["ProviderConfig"];
        };
        readonly PushForgetRequest: {
            readonly endpoint: string;
        };
        readonly PushForgotten: {
            /** @constant */
            readonly status: "forgotten";
        };
        readonly PushKey: {
            /** @description A point of P-256 in base64url. */
            readonly public_key: string;
        };
        readonly PushSubscribed: {
            /** @constant */
            readonly status: "subscribed";
        };
        readonly PushSubscription: {
            readonly endpoint: string;
            readonly keys: {
                readonly auth: string;
                readonly p256dh: string;
            };
        };
        readonly PushTried: {
            /** @constant */
            readonly status: "sent";
        };
        readonly PushTryRequest: {
            readonly endpoint: string;
        };
        readonly ReadRequest: {
            readonly message: string;
        };
        readonly Received: {
            /** @description Only with `wait`: everything that the persona said in the turn that took the message. Null on timeout, or if the persona is stopped meanwhile. */
            readonly reply?: components["schemas"]["Reply"] | null;
            /** @constant */
            readonly status: "received";
        };
        readonly Reply: {
            readonly content: string;
            /** @description Position of its last message in the journal. */
            readonly id: number;
            readonly media: components["schemas"]["MediaView"] | null;
            readonly time: string;
        };
        readonly Restarted: {
            /** @constant */
            readonly status: "restarted";
        };
        readonly Salvaged: {
            readonly copy: string;
            readonly first_lost: number | null;
            readonly kept: number;
            readonly lost: number;
            readonly running: boolean;
        };
        readonly SearchResult: {
            readonly found: readonly components["schemas"]["Found"][];
            readonly has_more: boolean;
        };
        readonly ServerTool: {
            /** @description The allowed definition and the current one, as JSON. */
            readonly change?: {
                readonly after: string;
                readonly before: string | null;
            };
            readonly description: string;
            /**
             * @description `changed`: it was allowed, but its definition has changed, so the user is asked.
             * @enum {string}
             */
            readonly mode: "off" | "ask" | "allow" | "changed";
            readonly name: string;
        };
        readonly Skill: {
            readonly description: string;
            /** @description The persona may use it: the user has enabled this version. */
            readonly enabled: boolean;
            readonly files: readonly {
                readonly bytes: number;
                readonly path: string;
            }[];
            readonly name: string;
            /** @description Hash of all its bytes. Another hash is another skill. */
            readonly sha256: string;
        };
        readonly SkillRequest: {
            readonly enabled: boolean;
            /** @description Hash of the version that the user reviewed. If the skill has changed since, it is not enabled. */
            readonly sha256?: string;
        };
        readonly Skills: {
            /** @description Skills in ~/.agents/skills. They are not used until they are added and enabled. */
            readonly offered: readonly {
                readonly description: string;
                readonly name: string;
            }[];
            readonly skills: readonly components["schemas"]["Skill"][];
        };
        readonly Started: {
            /** @enum {string} */
            readonly status: "started" | "already running";
        };
        readonly Stopped: {
            /** @constant */
            readonly status: "stopped";
        };
        readonly Sum: {
            /** @description Input tokens that a provider read from its cache. */
            readonly cached: number;
            readonly calls: number;
            readonly characters: number;
            /** @description Dates of the price lists that were used. */
            readonly dated: readonly string[];
            /** @description Calls without an answer. Their cost is unknown. */
            readonly failed: number;
            readonly images: number;
            readonly input: number;
            readonly ms: number;
            readonly output: number;
            readonly seconds: number;
            /** @description Number of calls to a provider, with retries. */
            readonly tries: number;
            /** @description Answers without a price. */
            readonly unpriced: number;
            /** @description Null if no answer had a price. */
            readonly usd: number | null;
        };
        readonly ToolModeRequest: {
            /** @enum {string} */
            readonly mode: "off" | "ask" | "allow";
        };
        readonly Tools: {
            readonly builtin: readonly components["schemas"]["BuiltinTool"][];
            readonly servers: readonly components["schemas"]["ToolServer"][];
        };
        readonly ToolServer: {
            /** @description Address where the user signs in, as long as that is needed. */
            readonly authorize: string | null;
            readonly name: string;
            readonly reason: string | null;
            /** @description As declared, with secrets as `***`. */
            readonly server: components["schemas"]["ToolServerRequest"];
            /**
             * @description `off`: it does not run now, and is started when it is needed.
             * @enum {string}
             */
            readonly state: "ready" | "starting" | "failing" | "off";
            readonly tools: readonly components["schemas"]["ServerTool"][];
            /** @enum {string} */
            readonly transport: "stdio" | "http";
        };
        readonly ToolServerRequest: {
            readonly args?: readonly string[];
            /** @description A program to be started. */
            readonly command?: string;
            /** @description The folder it is started in; by default the home folder. */
            readonly cwd?: string;
            readonly disabled?: boolean;
            /** @description Kept as secrets. A name in braces behind a dollar sign is read from the environment of the daemon. */
            readonly env?: {
                readonly [key: string]: string;
            };
            /** @description Kept as secrets. A name in braces behind a dollar sign is read from the environment of the daemon. */
            readonly headers?: {
                readonly [key: string]: string;
            };
            /** @description A client that is registered with the server already. */
            readonly oauth?: {
                readonly client_id: string;
                readonly client_secret?: string;
                readonly issuer?: string;
                readonly redirect_port?: number;
                readonly scope?: string;
            };
            /** @description Values that are no secrets: they are shown, and not masked in what the server answers. */
            readonly plain_values?: readonly string[];
            /** @description Values of this declaration that are secrets although they do not look like it. Not shown again. */
            readonly secret_values?: readonly string[];
            /** @description stdio, http or sse; told by the other fields where it is absent */
            readonly type?: string;
            /** @description In place of a program: a Streamable HTTP address. */
            readonly url?: string;
        };
        readonly ToolServersImported: {
            /** @description Values that the configuration asks for, as `{input:id}` after a dollar sign. */
            readonly inputs: readonly {
                readonly description: string;
                readonly id: string;
                readonly secret: boolean;
                /** @description Read from the environment of the daemon if no value was given. */
                readonly variable: string;
            }[];
            readonly servers: readonly components["schemas"]["ToolServer"][];
            /** @description Servers that are disabled there. */
            readonly skipped: readonly string[];
        };
        readonly ToolServersJudged: {
            readonly values: readonly components["schemas"]["JudgedValue"][];
        };
        readonly ToolServersJudgeRequest: {
            readonly mcpServers: {
                readonly [key: string]: components["schemas"]["ToolServerRequest"];
            };
        };
        readonly ToolServersRead: {
            /** @description Values that the configuration asks for, as `{input:id}` after a dollar sign. */
            readonly inputs: readonly {
                readonly description: string;
                readonly id: string;
                readonly secret: boolean;
                /** @description Read from the environment of the daemon if no value was given. */
                readonly variable: string;
            }[];
            readonly mcpServers: {
                readonly [key: string]: components["schemas"]["ToolServerRequest"];
            };
            /** @description Servers that are disabled there. */
            readonly skipped: readonly string[];
        };
        readonly ToolServersRequest: {
            /** @description Values of `inputs`, by their ids. */
            readonly input_values?: {
                readonly [key: string]: string;
            };
            /** @description Servers by name, or another key of a supported form. */
            readonly mcpServers?: unknown;
            /** @description The configuration as text in any supported form. Without it, the other fields are the configuration. */
            readonly text?: string;
        } & {
            readonly [key: string]: unknown;
        };
        readonly ToolUse: {
            /** @description For a tool of a server: the decision of the user. `always` if it was allowed before. */
            readonly allowed: ("once" | "always" | "no" | "expired" | "withdrawn" | "waiting") | null;
            readonly id: string;
            readonly input: unknown;
            /** @description From the begin of the call to its result. */
            readonly ms: number | null;
            readonly name: string;
            readonly ok: boolean | null;
            readonly output: unknown;
            readonly server: string | null;
            readonly tool: string | null;
        };
        readonly Turn: {
            readonly began: string;
            readonly bodies?: readonly components["schemas"]["CallBody"][];
            /** @description Calls outside the steps: for perception, by a tool, or without an answer. */
            readonly calls: readonly {
                /** @enum {string} */
                readonly cause: "turn" | "perception" | "tool" | "api" | "consolidation" | "history";
                readonly dated: string | null;
                readonly id: number;
                readonly model: string;
                readonly ms: number;
                /** @enum {string} */
                readonly organ: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
                readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
                readonly reason: string | null;
                readonly step: number | null;
                readonly time: string;
                readonly tries: number;
                readonly usage: {
                    readonly cached: number | null;
                    readonly input: number | null;
                    readonly made: {
                        readonly count: number;
                        /** @enum {string} */
                        readonly unit: "image" | "character" | "second";
                    } | null;
                    readonly output: number | null;
                } | null;
                readonly usd: number | null;
            }[];
            readonly channel: {
                readonly name: string;
                readonly topic?: string;
                /** @enum {string} */
                readonly type: "web" | "telegram" | "discord";
            } | null;
            /** @description False if it is too long to be shown whole. */
            readonly complete: boolean;
            readonly due: readonly {
                readonly content: string | null;
                readonly id: string;
                readonly kind: ("reminder" | "schedule") | null;
            }[];
            readonly ended: string | null;
            /** @description Other facts of the turn in the form of frames: memories, plans and instructions. */
            readonly facts: readonly {
                readonly details: {
                    readonly [key: string]: unknown;
                };
                readonly id: number;
                readonly time: string;
                readonly title: string;
            }[];
            /** @description Files that the persona made in the turn. */
            readonly files: readonly components["schemas"]["MediaView"][];
            readonly heard: readonly components["schemas"]["ConversationMessage"][];
            readonly id: number;
            readonly life: number;
            readonly outcome: ("answered" | "refused" | "hushed" | "unreachable") | null;
            readonly perceptions: readonly {
                readonly filename: string;
                readonly message: number;
                readonly organ: ("thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher") | null;
                /** @enum {string} */
                readonly outcome: "perceived" | "shown" | "refused";
                readonly text: string;
            }[];
            readonly reason: string | null;
            readonly spoken: readonly components["schemas"]["ConversationMessage"][];
            readonly steps: readonly {
                readonly dated: string | null;
                readonly model: string;
                readonly ms: number;
                /** @enum {string} */
                readonly organ: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
                readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
                readonly step: number;
                readonly text: string | null;
                readonly time: string;
                readonly tools: readonly components["schemas"]["ToolUse"][];
                readonly tries: number;
                readonly usage: {
                    readonly cached: number | null;
                    readonly input: number | null;
                    readonly made: {
                        readonly count: number;
                        /** @enum {string} */
                        readonly unit: "image" | "character" | "second";
                    } | null;
                    readonly output: number | null;
                } | null;
                readonly usd: number | null;
            }[];
            readonly total: components["schemas"]["Sum"];
        };
        readonly Undone: {
            /** @description Positions of the new facts. Each can be undone again. */
            readonly by: readonly number[];
            /** @description Names the part that could not be restored: a key that is missing. */
            readonly note?: string;
            readonly undone: number;
        };
        readonly UndoRequest: {
            /** @description Its position in the journal. */
            readonly seq: number;
        };
        readonly Usage: {
            readonly causes: readonly {
                /** @description Input tokens that a provider read from its cache. */
                readonly cached: number;
                readonly calls: number;
                /** @enum {string} */
                readonly cause: "turn" | "perception" | "tool" | "api" | "consolidation" | "history";
                readonly characters: number;
                /** @description Dates of the price lists that were used. */
                readonly dated: readonly string[];
                /** @description Calls without an answer. Their cost is unknown. */
                readonly failed: number;
                readonly images: number;
                readonly input: number;
                readonly ms: number;
                readonly output: number;
                readonly seconds: number;
                /** @description Number of calls to a provider, with retries. */
                readonly tries: number;
                /** @description Answers without a price. */
                readonly unpriced: number;
                /** @description Null if no answer had a price. */
                readonly usd: number | null;
            }[];
            readonly days: readonly {
                /** @description Input tokens that a provider read from its cache. */
                readonly cached: number;
                readonly calls: number;
                readonly characters: number;
                /** @description Dates of the price lists that were used. */
                readonly dated: readonly string[];
                readonly day: string;
                /** @description Calls without an answer. Their cost is unknown. */
                readonly failed: number;
                readonly images: number;
                readonly input: number;
                readonly ms: number;
                readonly output: number;
                readonly seconds: number;
                /** @description Number of calls to a provider, with retries. */
                readonly tries: number;
                /** @description Answers without a price. */
                readonly unpriced: number;
                /** @description Null if no answer had a price. */
                readonly usd: number | null;
            }[];
            readonly from: string | null;
            readonly models: readonly {
                /** @description Input tokens that a provider read from its cache. */
                readonly cached: number;
                readonly calls: number;
                readonly characters: number;
                /** @description Dates of the price lists that were used. */
                readonly dated: readonly string[];
                /** @description Calls without an answer. Their cost is unknown. */
                readonly failed: number;
                readonly images: number;
                readonly input: number;
                readonly model: string;
                readonly ms: number;
                readonly output: number;
                readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
                readonly seconds: number;
                /** @description Number of calls to a provider, with retries. */
                readonly tries: number;
                /** @description Answers without a price. */
                readonly unpriced: number;
                /** @description Null if no answer had a price. */
                readonly usd: number | null;
            }[];
            readonly organs: readonly {
                /** @description Input tokens that a provider read from its cache. */
                readonly cached: number;
                readonly calls: number;
                readonly characters: number;
                /** @description Dates of the price lists that were used. */
                readonly dated: readonly string[];
                /** @description Calls without an answer. Their cost is unknown. */
                readonly failed: number;
                readonly images: number;
                readonly input: number;
                readonly ms: number;
                /** @enum {string} */
                readonly organ: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
                readonly output: number;
                readonly seconds: number;
                /** @description Number of calls to a provider, with retries. */
                readonly tries: number;
                /** @description Answers without a price. */
                readonly unpriced: number;
                /** @description Null if no answer had a price. */
                readonly usd: number | null;
            }[];
            /** @description The price list for new calls. `own` is a file in the home. */
            readonly prices: {
                readonly dated: string;
                readonly own: boolean;
            };
            readonly to: string | null;
            /** @description Tokens of the current day, independent of the requested range. */
            readonly today: {
                readonly anew: string;
                readonly ceiling: number | null;
                readonly tokens: number;
            };
            readonly total: components["schemas"]["Sum"];
        };
        readonly V1Problem: {
            readonly detail: string | readonly components["schemas"]["ValidationError"][];
            readonly error: {
                readonly code: string;
                readonly message: string;
                readonly param: string | null;
                readonly type: string;
            };
        };
        readonly ValidationError: {
            readonly ctx?: {
                readonly [key: string]: unknown;
            };
            readonly input?: unknown;
            readonly loc: readonly (string | number)[];
            readonly msg: string;
            readonly type: string;
        };
        readonly Verified: {
            readonly diaries: readonly {
                readonly bytes: number;
                /** @description Encrypted for the current recovery phrase. */
                readonly current: boolean;
                readonly events: number;
                /** @description As far as this can be checked without the recovery phrase. */
                readonly readable: boolean;
                readonly time: string;
            }[];
            readonly events: number;
            readonly first_bad: number | null;
            readonly head: string;
            readonly intact: boolean;
            /** @description Its files. Null if the journal is damaged. */
            readonly media: {
                readonly checked: number;
                readonly damaged: readonly string[];
                readonly missing: readonly string[];
                /** @description Files whose hash no fact contains. */
                readonly unhashed: number;
            } | null;
            /** @description Snapshots, each compared with a replay of all facts. Null unless `deep` is set. */
            readonly snapshots: {
                readonly checked: number;
                readonly wrong: readonly number[];
            } | null;
        };
        readonly WebHost: {
            readonly host: string;
            /** @enum {string} */
            readonly mode: "off" | "ask" | "allow" | "changed";
        };
        readonly WebHostRequest: {
            /** @enum {string} */
            readonly mode: "off" | "ask" | "allow";
        };
        readonly WebHosts: {
            readonly hosts: readonly components["schemas"]["WebHost"][];
        };
        readonly WholeSkill: {
            readonly description: string;
            /** @description The persona may use it: the user has enabled this version. */
            readonly enabled: boolean;
            readonly files: readonly {
                readonly bytes: number;
                readonly path: string;
                /** @description A script. It is only read here, never run. */
                readonly script: boolean;
                /** @description Null for a file that is not text. */
                readonly text: string | null;
            }[];
            readonly name: string;
            /** @description Hash of all its bytes. Another hash is another skill. */
            readonly sha256: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly get_api_config_providers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "local": {
                     *         "url": "http://localhost:11434"
                     *       },
                     *       "anthropic": {
                     *         "url": "http://localhost:11434"
                     *       },
                     *       "gemini": {
                     *         "url": "http://localhost:11434"
                     *       },
                     *       "openai": {
                     *         "url": "http://localhost:11434"
                     *       },
                     *       "xai": {
                     *         "url": "http://localhost:11434"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ProvidersConfig"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_health: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "0.1.0",
                     *       "uptime": 1,
                     *       "zone": "Europe/Lisbon",
                     *       "log_lines_dropped": 1,
                     *       "warnings": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_models: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "provider": "openai"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ModelsRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "models": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ModelNames"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_approvals: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approvals": [
                     *         {
                     *           "id": 1,
                     *           "turn": 1,
                     *           "server": "text",
                     *           "tool": "text",
                     *           "input": null,
                     *           "asked_at": "text",
                     *           "changed": true,
                     *           "again": true
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Approvals"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_approvals_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 12 */
                readonly id: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "decision": "once"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ApprovalRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "settled"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ApprovalSettled"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_attach: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Seconds to wait for the reply. Opens the web channel if it is closed.
                 * @example 1
                 */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "file": "picture.png"
                 *     }
                 */
                readonly "multipart/form-data": components["schemas"]["Body_attach"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "received"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Received"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_calendar: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description End of the range, exclusive. An ISO date or date-time. Without an offset it is in the time zone of the daemon.
                 * @example 2026-12-01
                 */
                readonly end: string;
                /**
                 * @description Start of the range. An ISO date or date-time. Without an offset it is in the time zone of the daemon.
                 * @example 2026-11-01
                 */
                readonly start: string;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": "2026-11-01",
                     *       "end": "2026-12-01",
                     *       "history": {
                     *         "conversation": [
                     *           {
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "body": "text"
                     *           }
                     *         ],
                     *         "schedule": [
                     *           {
                     *             "id": "12",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ],
                     *         "reminder": [
                     *           {
                     *             "id": "12",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ]
                     *       },
                     *       "destiny": {
                     *         "schedule": [
                     *           {
                     *             "id": "12",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ],
                     *         "reminder": [
                     *           {
                     *             "id": "12",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Calendar"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_calendar: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "when": "2026-11-24T09:00",
                 *       "content": "Hello"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CalendarEntryRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "12",
                     *       "kind": "reminder",
                     *       "time": "2026-11-24T09:00:00.000+01:00",
                     *       "when": "2026-11-24T09:00",
                     *       "zone": "Europe/Lisbon",
                     *       "body": "text",
                     *       "recurrence": "hourly"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CalendarEntry"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_calendar_ics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example BEGIN:VCALENDAR */
                    readonly "text/calendar": string;
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly delete_api_persona_persona_id_calendar_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 12 */
                readonly id: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    readonly "application/json": null;
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly patch_api_persona_persona_id_calendar_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 12 */
                readonly id: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "kind": "reminder"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CalendarEntryChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "12",
                     *       "kind": "reminder",
                     *       "time": "2026-11-24T09:00:00.000+01:00",
                     *       "when": "2026-11-24T09:00",
                     *       "zone": "Europe/Lisbon",
                     *       "body": "text",
                     *       "recurrence": "hourly"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CalendarEntry"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_changes: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description A position in the journal, or an ISO date or date-time. Without an offset it is in the time zone of the daemon. A time selects the last fact, in the order of the journal, that is not later, even if the clock was changed. Before the first fact there was nothing.
                 * @example 2026-11-01
                 */
                readonly from: string;
                /**
                 * @description A position in the journal, or an ISO date or date-time. Without an offset it is in the time zone of the daemon. A time selects the last fact, in the order of the journal, that is not later, even if the clock was changed. Default: now.
                 * @example 2026-12-01
                 */
                readonly to?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": {
                     *         "seq": 1,
                     *         "time": "2026-11-24T09:00:00.000+01:00"
                     *       },
                     *       "to": {
                     *         "seq": 1,
                     *         "time": "2026-11-24T09:00:00.000+01:00"
                     *       },
                     *       "name": {
                     *         "before": "text",
                     *         "after": "text"
                     *       },
                     *       "status": {
                     *         "before": "active",
                     *         "after": "active"
                     *       },
                     *       "memories": {
                     *         "kept": [
                     *           {
                     *             "id": "12",
                     *             "document": "person",
                     *             "text": "They live in Lisbon.",
                     *             "origin": "persona",
                     *             "via": {
                     *               "from": "program",
                     *               "by": "text"
                     *             },
                     *             "sources": [
                     *               1
                     *             ],
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "forgotten": true
                     *           }
                     *         ],
                     *         "revised": [
                     *           {
                     *             "id": "12",
                     *             "document": "person",
                     *             "before": "text",
                     *             "after": "text"
                     *           }
                     *         ],
                     *         "forgotten": [
                     *           {
                     *             "id": "12",
                     *             "document": "person",
                     *             "text": "They live in Lisbon.",
                     *             "origin": "persona",
                     *             "via": {
                     *               "from": "program",
                     *               "by": "text"
                     *             },
                     *             "sources": [
                     *               1
                     *             ],
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "forgotten": true
                     *           }
                     *         ]
                     *       },
                     *       "instructions": {
                     *         "learned": [
                     *           {
                     *             "id": "12",
                     *             "intention": "text",
                     *             "body": "text"
                     *           }
                     *         ],
                     *         "revised": [
                     *           {
                     *             "id": "12",
                     *             "before": "text",
                     *             "after": "text"
                     *           }
                     *         ],
                     *         "removed": [
                     *           {
                     *             "id": "12",
                     *             "intention": "text",
                     *             "body": "text"
                     *           }
                     *         ]
                     *       },
                     *       "plans": {
                     *         "planned": [
                     *           {
                     *             "id": "12",
                     *             "kind": "reminder",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "when": "2026-11-24T09:00",
                     *             "zone": "Europe/Lisbon",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ],
                     *         "moved": [
                     *           {
                     *             "id": "12",
                     *             "before": {
                     *               "id": "12",
                     *               "kind": "reminder",
                     *               "time": "2026-11-24T09:00:00.000+01:00",
                     *               "when": "2026-11-24T09:00",
                     *               "zone": "Europe/Lisbon",
                     *               "body": "text",
                     *               "recurrence": "hourly"
                     *             },
                     *             "after": {
                     *               "id": "12",
                     *               "kind": "reminder",
                     *               "time": "2026-11-24T09:00:00.000+01:00",
                     *               "when": "2026-11-24T09:00",
                     *               "zone": "Europe/Lisbon",
                     *               "body": "text",
                     *               "recurrence": "hourly"
                     *             }
                     *           }
                     *         ],
                     *         "fallen_due": [
                     *           {
                     *             "id": "12",
                     *             "kind": "reminder",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "when": "2026-11-24T09:00",
                     *             "zone": "Europe/Lisbon",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ],
                     *         "cancelled": [
                     *           {
                     *             "id": "12",
                     *             "kind": "reminder",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "when": "2026-11-24T09:00",
                     *             "zone": "Europe/Lisbon",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ]
                     *       },
                     *       "organs": [
                     *         {
                     *           "slot": "thinking",
                     *           "before": {
                     *             "name": "Ada",
                     *             "provider": "anthropic",
                     *             "url": "http://localhost:11434"
                     *           },
                     *           "after": {
                     *             "name": "Ada",
                     *             "provider": "anthropic",
                     *             "url": "http://localhost:11434"
                     *           }
                     *         }
                     *       ],
                     *       "channels": {
                     *         "added": [
                     *           {
                     *             "type": "web",
                     *             "name": "Ada",
                     *             "verified": true
                     *           }
                     *         ],
                     *         "changed": [
                     *           {
                     *             "before": {
                     *               "type": "web",
                     *               "name": "Ada",
                     *               "verified": true
                     *             },
                     *             "after": {
                     *               "type": "web",
                     *               "name": "Ada",
                     *               "verified": true
                     *             }
                     *           }
                     *         ],
                     *         "removed": [
                     *           {
                     *             "type": "web",
                     *             "name": "Ada",
                     *             "verified": true
                     *           }
                     *         ]
                     *       },
                     *       "messages": {
                     *         "person": 1,
                     *         "persona": 1
                     *       },
                     *       "usage": {
                     *         "total": {
                     *           "calls": 1,
                     *           "failed": 1,
                     *           "tries": 1,
                     *           "input": 1,
                     *           "output": 1,
                     *           "cached": 1,
                     *           "images": 1,
                     *           "characters": 1,
                     *           "seconds": 1,
                     *           "ms": 1,
                     *           "usd": 1,
                     *           "unpriced": 1,
                     *           "dated": [
                     *             "text"
                     *           ]
                     *         },
                     *         "organs": [
                     *           {
                     *             "organ": "thinking",
                     *             "calls": 1,
                     *             "failed": 1,
                     *             "tries": 1,
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "images": 1,
                     *             "characters": 1,
                     *             "seconds": 1,
                     *             "ms": 1,
                     *             "usd": 1,
                     *             "unpriced": 1,
                     *             "dated": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "models": [
                     *           {
                     *             "provider": "anthropic",
                     *             "model": "embedded/practice",
                     *             "calls": 1,
                     *             "failed": 1,
                     *             "tries": 1,
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "images": 1,
                     *             "characters": 1,
                     *             "seconds": 1,
                     *             "ms": 1,
                     *             "usd": 1,
                     *             "unpriced": 1,
                     *             "dated": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "causes": [
                     *           {
                     *             "cause": "turn",
                     *             "calls": 1,
                     *             "failed": 1,
                     *             "tries": 1,
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "images": 1,
                     *             "characters": 1,
                     *             "seconds": 1,
                     *             "ms": 1,
                     *             "usd": 1,
                     *             "unpriced": 1,
                     *             "dated": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "days": [
                     *           {
                     *             "day": "text",
                     *             "calls": 1,
                     *             "failed": 1,
                     *             "tries": 1,
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "images": 1,
                     *             "characters": 1,
                     *             "seconds": 1,
                     *             "ms": 1,
                     *             "usd": 1,
                     *             "unpriced": 1,
                     *             "dated": [
                     *               "text"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Changes"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_channels: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "kind": "telegram",
                 *       "credentials": {
                 *         "token": "123456789:AAF…"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ChannelCreateRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "telegram"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChannelCreated"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly delete_api_persona_persona_id_channels_channel_name: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 123456789 */
                readonly channel_name: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "removed": "text"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChannelRemoved"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_conversation: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only messages with a smaller id.
                 * @example 1
                 */
                readonly before?: number;
                /** @example 200 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "messages": [
                     *         {
                     *           "id": 1,
                     *           "role": "person",
                     *           "content": "Hello",
                     *           "channel": {
                     *             "type": "web",
                     *             "name": "Ada"
                     *           },
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "turn": 1,
                     *           "step": 1,
                     *           "media": {
                     *             "filename": "picture.png",
                     *             "name": "Ada",
                     *             "mime": "text",
                     *             "url": "http://localhost:11434",
                     *             "caption": "Look at this."
                     *           },
                     *           "delivery": {
                     *             "state": "waiting",
                     *             "reason": "text"
                     *           }
                     *         }
                     *       ],
                     *       "has_more": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_delete: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Delete it even if the runtime of its local model cannot be reached, or its journal is damaged.
                 * @example true
                 */
                readonly force?: boolean;
                /**
                 * @description Delete its diaries, too. Otherwise the last one stays for 30 days, and only its recovery phrase opens it.
                 * @example true
                 */
                readonly purge?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    readonly "application/json": null;
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_diagnose: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "active",
                     *       "running": true,
                     *       "reason": "text",
                     *       "version": "0.1.0",
                     *       "mind": {
                     *         "messages": [
                     *           {
                     *             "id": 1,
                     *             "role": "person",
                     *             "content": "Hello",
                     *             "time": "2026-11-24T09:00:00.000+01:00"
                     *           }
                     *         ],
                     *         "archive": [
                     *           {
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "body": "text"
                     *           }
                     *         ],
                     *         "context": "text"
                     *       },
                     *       "uptime": {
                     *         "rows": [
                     *           {
                     *             "from": "2026-11-01",
                     *             "to": "2026-12-01",
                     *             "cells": [
                     *               {
                     *                 "at": "2026-11-24T09:00:00Z",
                     *                 "tick": true,
                     *                 "fault": true,
                     *                 "providers": [
                     *                   "local"
                     *                 ],
                     *                 "signals": [
                     *                   "woke"
                     *                 ]
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "organs": {},
                     *       "channels": [
                     *         {
                     *           "type": "telegram",
                     *           "name": "Ada",
                     *           "verified": true,
                     *           "state": "well",
                     *           "reason": "text",
                     *           "waiting": 1
                     *         }
                     *       ],
                     *       "idle_timeout": 1,
                     *       "diaries": {
                     *         "kept": 1,
                     *         "older": 1,
                     *         "last": {
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "events": 1,
                     *           "bytes": 1
                     *         }
                     *       },
                     *       "journal": {
                     *         "events": 1,
                     *         "bytes": 1,
                     *         "bytes_per_1000_messages": 1,
                     *         "head": "text",
                     *         "verified_at": "text"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Diagnosis"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_erase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "seqs": [
                 *         1
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["EraseRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "erased": [
                     *         1
                     *       ],
                     *       "also": [
                     *         1
                     *       ],
                     *       "diaries": 1,
                     *       "held_in": [
                     *         "text"
                     *       ],
                     *       "forks": [
                     *         {
                     *           "id": "12",
                     *           "name": "Ada",
                     *           "facts": [
                     *             1
                     *           ],
                     *           "outcome": "kept",
                     *           "reason": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Erased"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_export: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": unknown;
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_feed: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only list the conversations.
                 * @example false
                 */
                readonly preview?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "history": "conversations.json",
                 *       "source": "chatgpt"
                 *     }
                 */
                readonly "multipart/form-data": components["schemas"]["Body_feed"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "persona": {
                     *         "id": "12",
                     *         "name": "Ada",
                     *         "thinking": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "version": "0.1.0",
                     *         "base_model": "text",
                     *         "birthday": "2026-11-23",
                     *         "status": "active",
                     *         "idle_timeout": 1,
                     *         "imagination": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "mouth": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "eye": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "ear": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "teacher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "researcher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "channels": [
                     *           {
                     *             "type": "telegram",
                     *             "name": "Ada",
                     *             "credentials": {
                     *               "token": "123456789:AAF…"
                     *             },
                     *             "verified_at": "text"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PersonaFed"] | components["schemas"]["HistoryPreview"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_fork: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "at": 1
                 *     }
                 */
                readonly "application/json": components["schemas"]["PersonaForkRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "persona": {
                     *         "id": "12",
                     *         "name": "Ada",
                     *         "thinking": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "version": "0.1.0",
                     *         "base_model": "text",
                     *         "birthday": "2026-11-23",
                     *         "status": "active",
                     *         "idle_timeout": 1,
                     *         "imagination": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "mouth": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "eye": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "ear": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "teacher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "researcher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "channels": [
                     *           {
                     *             "type": "telegram",
                     *             "name": "Ada",
                     *             "credentials": {
                     *               "token": "123456789:AAF…"
                     *             },
                     *             "verified_at": "text"
                     *           }
                     *         ]
                     *       },
                     *       "recovery_phrase": "text"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PersonaForked"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_greet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "greeting"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Greeted"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_hear: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Seconds to wait for the reply. Opens the web channel if it is closed.
                 * @example 1
                 */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "audio": "hello.ogg"
                 *     }
                 */
                readonly "multipart/form-data": components["schemas"]["Body_hear"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "received"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Received"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_history: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description A position in the journal, or an ISO date or date-time. Without an offset it is in the time zone of the daemon. A time selects the last fact, in the order of the journal, that is not later, even if the clock was changed.
                 * @example 2026-11-24T09:00:00Z
                 */
                readonly at: string;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "at": {
                     *         "seq": 1,
                     *         "time": "2026-11-24T09:00:00.000+01:00"
                     *       },
                     *       "persona": {
                     *         "id": "12",
                     *         "name": "Ada",
                     *         "thinking": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "version": "0.1.0",
                     *         "base_model": "text",
                     *         "birthday": "2026-11-23",
                     *         "status": "active",
                     *         "idle_timeout": 1,
                     *         "imagination": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "mouth": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "eye": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "ear": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "teacher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "researcher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "channels": [
                     *           {
                     *             "type": "telegram",
                     *             "name": "Ada",
                     *             "credentials": {
                     *               "token": "123456789:AAF…"
                     *             },
                     *             "verified_at": "text"
                     *           }
                     *         ]
                     *       },
                     *       "status": "active",
                     *       "memories": [
                     *         {
                     *           "id": "12",
                     *           "document": "person",
                     *           "text": "They live in Lisbon.",
                     *           "origin": "persona",
                     *           "via": {
                     *             "from": "program",
                     *             "by": "text"
                     *           },
                     *           "sources": [
                     *             1
                     *           ],
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "forgotten": true
                     *         }
                     *       ],
                     *       "knowledge": {
                     *         "memory": {},
                     *         "instruction": [
                     *           {
                     *             "intention": "text",
                     *             "body": "text",
                     *             "source": "builtin"
                     *           }
                     *         ]
                     *       },
                     *       "instructions": [
                     *         {
                     *           "id": "12",
                     *           "intention": "text",
                     *           "body": "text"
                     *         }
                     *       ],
                     *       "calendar": {
                     *         "schedule": [
                     *           {
                     *             "id": "12",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ],
                     *         "reminder": [
                     *           {
                     *             "id": "12",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ],
                     *         "due": [
                     *           {
                     *             "id": "12",
                     *             "time": "2026-11-24T09:00:00.000+01:00",
                     *             "body": "text",
                     *             "recurrence": "hourly"
                     *           }
                     *         ]
                     *       },
                     *       "conversation": [
                     *         {
                     *           "id": 1,
                     *           "role": "person",
                     *           "content": "Hello",
                     *           "channel": {
                     *             "type": "web",
                     *             "name": "Ada"
                     *           },
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "turn": 1,
                     *           "step": 1,
                     *           "media": {
                     *             "filename": "picture.png",
                     *             "name": "Ada",
                     *             "mime": "text",
                     *             "url": "http://localhost:11434",
                     *             "caption": "Look at this."
                     *           },
                     *           "delivery": {
                     *             "state": "waiting",
                     *             "reason": "text"
                     *           }
                     *         }
                     *       ],
                     *       "days": [
                     *         {
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "body": "text"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "total": {
                     *           "calls": 1,
                     *           "failed": 1,
                     *           "tries": 1,
                     *           "input": 1,
                     *           "output": 1,
                     *           "cached": 1,
                     *           "images": 1,
                     *           "characters": 1,
                     *           "seconds": 1,
                     *           "ms": 1,
                     *           "usd": 1,
                     *           "unpriced": 1,
                     *           "dated": [
                     *             "text"
                     *           ]
                     *         },
                     *         "organs": [
                     *           {
                     *             "organ": "thinking",
                     *             "calls": 1,
                     *             "failed": 1,
                     *             "tries": 1,
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "images": 1,
                     *             "characters": 1,
                     *             "seconds": 1,
                     *             "ms": 1,
                     *             "usd": 1,
                     *             "unpriced": 1,
                     *             "dated": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "models": [
                     *           {
                     *             "provider": "anthropic",
                     *             "model": "embedded/practice",
                     *             "calls": 1,
                     *             "failed": 1,
                     *             "tries": 1,
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "images": 1,
                     *             "characters": 1,
                     *             "seconds": 1,
                     *             "ms": 1,
                     *             "usd": 1,
                     *             "unpriced": 1,
                     *             "dated": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "causes": [
                     *           {
                     *             "cause": "turn",
                     *             "calls": 1,
                     *             "failed": 1,
                     *             "tries": 1,
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "images": 1,
                     *             "characters": 1,
                     *             "seconds": 1,
                     *             "ms": 1,
                     *             "usd": 1,
                     *             "unpriced": 1,
                     *             "dated": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "days": [
                     *           {
                     *             "day": "text",
                     *             "calls": 1,
                     *             "failed": 1,
                     *             "tries": 1,
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "images": 1,
                     *             "characters": 1,
                     *             "seconds": 1,
                     *             "ms": 1,
                     *             "usd": 1,
                     *             "unpriced": 1,
                     *             "dated": [
                     *               "text"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["History"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    readonly patch_api_persona_persona_id_hosts_host: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example text */
                readonly host: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "mode": "off"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebHostRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hosts": [
                     *         {
                     *           "host": "text",
                     *           "mode": "off"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebHosts"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_hush: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "hushed"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Hushed"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_journal: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only facts after this position.
                 * @example 0
                 */
                readonly after?: number;
                /**
                 * @description Keep the response open and send new facts.
                 * @example false
                 */
                readonly follow?: boolean;
                /**
                 * @description Start of the range. An ISO date or date-time. Without an offset it is in the time zone of the daemon.
                 * @example 2026-11-01
                 */
                readonly from?: string;
                /**
                 * @description Only the last so many of the matching facts.
                 * @example 1
                 */
                readonly last?: number;
                /**
                 * @description Only facts whose payload contains this text. Ignores case and accents.
                 * @example Lisbon
                 */
                readonly q?: string;
                /**
                 * @description End of the range, exclusive. An ISO date or date-time. Without an offset it is in the time zone of the daemon.
                 * @example 2026-12-01
                 */
                readonly to?: string;
                /**
                 * @description Only these fact types, separated by commas.
                 * @example text
                 */
                readonly type?: string;
                /**
                 * @description Last position to include.
                 * @example 1
                 */
                readonly upto?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "seq": 1,
                     *       "type": "text",
                     *       "version": 1,
                     *       "at": "2026-11-24T09:00:00Z",
                     *       "commit": "text",
                     *       "cause": {
                     *         "by": "text"
                     *       },
                     *       "prev": "text",
                     *       "hash": "text",
                     *       "payload": {}
                     *     }
                     */
                    readonly "application/x-ndjson": components["schemas"]["AuditLine"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_knowledge: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "memory": {},
                     *       "instruction": [
                     *         {
                     *           "intention": "text",
                     *           "body": "text",
                     *           "source": "builtin"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Knowledge"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_media_filename: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example picture.png */
                readonly filename: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": unknown;
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Range Not Satisfiable */
            readonly 416: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_memories: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only statements with this record of the journal as a source.
                 * @example 1
                 */
                readonly source?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "memories": [
                     *         {
                     *           "id": "12",
                     *           "document": "person",
                     *           "text": "They live in Lisbon.",
                     *           "origin": "persona",
                     *           "via": {
                     *             "from": "program",
                     *             "by": "text"
                     *           },
                     *           "sources": [
                     *             1
                     *           ],
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "forgotten": true
                     *         }
                     *       ],
                     *       "proposed": [
                     *         {
                     *           "id": "12",
                     *           "document": "person",
                     *           "text": "They live in Lisbon.",
                     *           "by": "text",
                     *           "time": "2026-11-24T09:00:00.000+01:00"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Memories"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_memories: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "document": "person",
                 *       "text": "They live in Lisbon."
                 *     }
                 */
                readonly "application/json": components["schemas"]["MemoryRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "12",
                     *       "document": "person",
                     *       "text": "They live in Lisbon.",
                     *       "origin": "persona",
                     *       "via": {
                     *         "from": "program",
                     *         "by": "text"
                     *       },
                     *       "sources": [
                     *         1
                     *       ],
                     *       "time": "2026-11-24T09:00:00.000+01:00",
                     *       "forgotten": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Memory"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly delete_api_persona_persona_id_memories_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 12 */
                readonly id: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    readonly "application/json": null;
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly patch_api_persona_persona_id_memories_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 12 */
                readonly id: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "text": "They live in Lisbon."
                 *     }
                 */
                readonly "application/json": components["schemas"]["MemoryChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "12",
                     *       "document": "person",
                     *       "text": "They live in Lisbon.",
                     *       "origin": "persona",
                     *       "via": {
                     *         "from": "program",
                     *         "by": "text"
                     *       },
                     *       "sources": [
                     *         1
                     *       ],
                     *       "time": "2026-11-24T09:00:00.000+01:00",
                     *       "forgotten": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Memory"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_pair: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PairRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "persona": {
                     *         "id": "12",
                     *         "name": "Ada",
                     *         "thinking": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "version": "0.1.0",
                     *         "base_model": "text",
                     *         "birthday": "2026-11-23",
                     *         "status": "active",
                     *         "idle_timeout": 1,
                     *         "imagination": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "mouth": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "eye": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "ear": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "teacher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "researcher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "channels": [
                     *           {
                     *             "type": "telegram",
                     *             "name": "Ada",
                     *             "credentials": {
                     *               "token": "123456789:AAF…"
                     *             },
                     *             "verified_at": "text"
                     *           }
                     *         ]
                     *       },
                     *       "channel": {
                     *         "type": "telegram",
                     *         "name": "Ada",
                     *         "credentials": {
                     *           "token": "123456789:AAF…"
                     *         },
                     *         "verified_at": "text"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChannelPaired"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_phrase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recipient": "text",
                     *       "confirmed": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PhraseState"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_phrase: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Remove the diaries that only an older phrase opens.
                 * @example true
                 */
                readonly remove_older?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_phrase": "text",
                     *       "diary": {
                     *         "time": "2026-11-24T09:00:00.000+01:00",
                     *         "events": 1,
                     *         "bytes": 1
                     *       },
                     *       "older": 1
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PhraseChanged"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_phrase_confirm: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "recipient": "text"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PhraseConfirmRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recipient": "text",
                     *       "confirmed": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PhraseState"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly patch_api_persona_persona_id_proposals_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 12 */
                readonly id: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "accepted": true
                 *     }
                 */
                readonly "application/json": components["schemas"]["ProposalAnswer"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "memory": {
                     *         "id": "12",
                     *         "document": "person",
                     *         "text": "They live in Lisbon.",
                     *         "origin": "persona",
                     *         "via": {
                     *           "from": "program",
                     *           "by": "text"
                     *         },
                     *         "sources": [
                     *           1
                     *         ],
                     *         "time": "2026-11-24T09:00:00.000+01:00",
                     *         "forgotten": true
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ProposalSettled"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_read: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Seconds to wait for the reply. Opens the web channel if it is closed.
                 * @example 1
                 */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "message": "Hello"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ReadRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "received"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Received"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_restart: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "restarted"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Restarted"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_salvage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kept": 1,
                     *       "lost": 1,
                     *       "first_lost": 1,
                     *       "copy": "text",
                     *       "running": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Salvaged"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_search: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Only results with a smaller id.
                 * @example 1
                 */
                readonly before?: number;
                /** @example said */
                readonly kind?: "said" | "file" | "memory" | "plan" | "instruction" | "day" | "history";
                /** @example 20 */
                readonly limit?: number;
                /** @example Lisbon */
                readonly q: string;
                /**
                 * @description Default: relevance, but newest with `before`. Pages are by position, so newest is the way to read all results.
                 * @example relevance
                 */
                readonly sort?: "relevance" | "newest";
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "found": [
                     *         {
                     *           "id": 1,
                     *           "kind": "said",
                     *           "role": "person",
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "text": "They live in Lisbon.",
                     *           "channel": {
                     *             "type": "web",
                     *             "name": "Ada"
                     *           },
                     *           "turn": 1,
                     *           "message": 1,
                     *           "media": {
                     *             "filename": "picture.png",
                     *             "name": "Ada",
                     *             "mime": "text",
                     *             "url": "http://localhost:11434",
                     *             "caption": "Look at this."
                     *           },
                     *           "memory": "text",
                     *           "instruction": "text",
                     *           "plan": {
                     *             "id": "12",
                     *             "kind": "reminder",
                     *             "wall": "text",
                     *             "zone": "Europe/Lisbon",
                     *             "open": true
                     *           }
                     *         }
                     *       ],
                     *       "has_more": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SearchResult"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_skills: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "skills": [
                     *         {
                     *           "name": "Ada",
                     *           "description": "text",
                     *           "enabled": true,
                     *           "sha256": "text",
                     *           "files": [
                     *             {
                     *               "path": "text",
                     *               "bytes": 1
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "offered": [
                     *         {
                     *           "name": "Ada",
                     *           "description": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Skills"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_skills: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "skill": "text"
                 *     }
                 */
                readonly "multipart/form-data": components["schemas"]["Body_skill"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Ada",
                     *       "description": "text",
                     *       "enabled": true,
                     *       "sha256": "text",
                     *       "files": [
                     *         {
                     *           "path": "text",
                     *           "bytes": 1
                     *         }
                     *       ],
                     *       "changed": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AddedSkill"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_skills_name: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example Ada */
                readonly name: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Ada",
                     *       "description": "text",
                     *       "enabled": true,
                     *       "sha256": "text",
                     *       "files": [
                     *         {
                     *           "path": "text",
                     *           "bytes": 1,
                     *           "text": "They live in Lisbon.",
                     *           "script": true
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WholeSkill"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly delete_api_persona_persona_id_skills_name: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example Ada */
                readonly name: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    readonly "application/json": null;
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly patch_api_persona_persona_id_skills_name: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example Ada */
                readonly name: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                readonly "application/json": components["schemas"]["SkillRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Ada",
                     *       "description": "text",
                     *       "enabled": true,
                     *       "sha256": "text",
                     *       "files": [
                     *         {
                     *           "path": "text",
                     *           "bytes": 1
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Skill"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_sleep: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    readonly "application/json": null;
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_start: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "started"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Started"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_stop: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "stopped"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Stopped"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_tools: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "name": "Ada",
                     *           "transport": "stdio",
                     *           "state": "ready",
                     *           "reason": "text",
                     *           "authorize": "text",
                     *           "server": {
                     *             "type": "text"
                     *           },
                     *           "tools": [
                     *             {
                     *               "name": "Ada",
                     *               "description": "text",
                     *               "mode": "off"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "builtin": [
                     *         {
                     *           "name": "Ada",
                     *           "description": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Tools"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly put_api_persona_persona_id_tools_server: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
                /** @example text */
                readonly server: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "type": "text"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ToolServerRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Ada",
                     *       "transport": "stdio",
                     *       "state": "ready",
                     *       "reason": "text",
                     *       "authorize": "text",
                     *       "server": {
                     *         "type": "text"
                     *       },
                     *       "tools": [
                     *         {
                     *           "name": "Ada",
                     *           "description": "text",
                     *           "mode": "off"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ToolServer"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly delete_api_persona_persona_id_tools_server: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
                /** @example text */
                readonly server: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    readonly "application/json": null;
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly patch_api_persona_persona_id_tools_server_tool: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
                /** @example text */
                readonly server: string;
                /** @example text */
                readonly tool: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "mode": "off"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ToolModeRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Ada",
                     *       "transport": "stdio",
                     *       "state": "ready",
                     *       "reason": "text",
                     *       "authorize": "text",
                     *       "server": {
                     *         "type": "text"
                     *       },
                     *       "tools": [
                     *         {
                     *           "name": "Ada",
                     *           "description": "text",
                     *           "mode": "off"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ToolServer"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_tools_server_probe: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
                /** @example text */
                readonly server: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Ada",
                     *       "transport": "stdio",
                     *       "state": "ready",
                     *       "reason": "text",
                     *       "authorize": "text",
                     *       "server": {
                     *         "type": "text"
                     *       },
                     *       "tools": [
                     *         {
                     *           "name": "Ada",
                     *           "description": "text",
                     *           "mode": "off"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ToolServer"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_tools_import: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "text": "They live in Lisbon."
                 *     }
                 */
                readonly "application/json": components["schemas"]["ToolServersRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "name": "Ada",
                     *           "transport": "stdio",
                     *           "state": "ready",
                     *           "reason": "text",
                     *           "authorize": "text",
                     *           "server": {
                     *             "type": "text"
                     *           },
                     *           "tools": [
                     *             {
                     *               "name": "Ada",
                     *               "description": "text",
                     *               "mode": "off"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "inputs": [
                     *         {
                     *           "id": "12",
                     *           "description": "text",
                     *           "secret": true,
                     *           "variable": "text"
                     *         }
                     *       ],
                     *       "skipped": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ToolServersImported"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_tools_judge: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "mcpServers": {}
                 *     }
                 */
                readonly "application/json": components["schemas"]["ToolServersJudgeRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "values": [
                     *         {
                     *           "server": "text",
                     *           "field": "command",
                     *           "key": "text",
                     *           "start": 1,
                     *           "end": 1,
                     *           "name": "Ada",
                     *           "verdict": "secret"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ToolServersJudged"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_tools_read: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "text": "They live in Lisbon."
                 *     }
                 */
                readonly "application/json": components["schemas"]["ToolServersRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mcpServers": {},
                     *       "inputs": [
                     *         {
                     *           "id": "12",
                     *           "description": "text",
                     *           "secret": true,
                     *           "variable": "text"
                     *         }
                     *       ],
                     *       "skipped": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ToolServersRead"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_turns_id: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Include every model call as it was sent and answered, if it is still stored.
                 * @example false
                 */
                readonly bodies?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @example 12 */
                readonly id: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "began": "text",
                     *       "ended": "text",
                     *       "outcome": "answered",
                     *       "reason": "text",
                     *       "life": 1,
                     *       "channel": {
                     *         "type": "web",
                     *         "name": "Ada"
                     *       },
                     *       "heard": [
                     *         {
                     *           "id": 1,
                     *           "role": "person",
                     *           "content": "Hello",
                     *           "channel": {
                     *             "type": "web",
                     *             "name": "Ada"
                     *           },
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "turn": 1,
                     *           "step": 1,
                     *           "media": {
                     *             "filename": "picture.png",
                     *             "name": "Ada",
                     *             "mime": "text",
                     *             "url": "http://localhost:11434",
                     *             "caption": "Look at this."
                     *           },
                     *           "delivery": {
                     *             "state": "waiting",
                     *             "reason": "text"
                     *           }
                     *         }
                     *       ],
                     *       "due": [
                     *         {
                     *           "id": "12",
                     *           "kind": "reminder",
                     *           "content": "Hello"
                     *         }
                     *       ],
                     *       "perceptions": [
                     *         {
                     *           "message": 1,
                     *           "filename": "picture.png",
                     *           "organ": "thinking",
                     *           "outcome": "perceived",
                     *           "text": "They live in Lisbon."
                     *         }
                     *       ],
                     *       "steps": [
                     *         {
                     *           "step": 1,
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "text": "They live in Lisbon.",
                     *           "tools": [
                     *             {
                     *               "id": "12",
                     *               "name": "Ada",
                     *               "input": null,
                     *               "output": null,
                     *               "ok": true,
                     *               "server": "text",
                     *               "tool": "text",
                     *               "ms": 1,
                     *               "allowed": "once"
                     *             }
                     *           ],
                     *           "organ": "thinking",
                     *           "provider": "anthropic",
                     *           "model": "embedded/practice",
                     *           "usage": {
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "made": {
                     *               "unit": "image",
                     *               "count": 1
                     *             }
                     *           },
                     *           "ms": 1,
                     *           "tries": 1,
                     *           "usd": 1,
                     *           "dated": "text"
                     *         }
                     *       ],
                     *       "calls": [
                     *         {
                     *           "id": 1,
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "cause": "turn",
                     *           "step": 1,
                     *           "organ": "thinking",
                     *           "provider": "anthropic",
                     *           "model": "embedded/practice",
                     *           "usage": {
                     *             "input": 1,
                     *             "output": 1,
                     *             "cached": 1,
                     *             "made": {
                     *               "unit": "image",
                     *               "count": 1
                     *             }
                     *           },
                     *           "ms": 1,
                     *           "tries": 1,
                     *           "usd": 1,
                     *           "dated": "text",
                     *           "reason": "text"
                     *         }
                     *       ],
                     *       "facts": [
                     *         {
                     *           "id": 1,
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "title": "The trip to Lisbon",
                     *           "details": {}
                     *         }
                     *       ],
                     *       "spoken": [
                     *         {
                     *           "id": 1,
                     *           "role": "person",
                     *           "content": "Hello",
                     *           "channel": {
                     *             "type": "web",
                     *             "name": "Ada"
                     *           },
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "turn": 1,
                     *           "step": 1,
                     *           "media": {
                     *             "filename": "picture.png",
                     *             "name": "Ada",
                     *             "mime": "text",
                     *             "url": "http://localhost:11434",
                     *             "caption": "Look at this."
                     *           },
                     *           "delivery": {
                     *             "state": "waiting",
                     *             "reason": "text"
                     *           }
                     *         }
                     *       ],
                     *       "files": [
                     *         {
                     *           "filename": "picture.png",
                     *           "name": "Ada",
                     *           "mime": "text",
                     *           "url": "http://localhost:11434",
                     *           "caption": "Look at this."
                     *         }
                     *       ],
                     *       "total": {
                     *         "calls": 1,
                     *         "failed": 1,
                     *         "tries": 1,
                     *         "input": 1,
                     *         "output": 1,
                     *         "cached": 1,
                     *         "images": 1,
                     *         "characters": 1,
                     *         "seconds": 1,
                     *         "ms": 1,
                     *         "usd": 1,
                     *         "unpriced": 1,
                     *         "dated": [
                     *           "text"
                     *         ]
                     *       },
                     *       "complete": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_turns_id_compare: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 12 */
                readonly id: string;
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "model": "embedded/practice"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CompareRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "answer": "text",
                     *       "calls": [
                     *         {
                     *           "id": "12",
                     *           "name": "Ada",
                     *           "input": null
                     *         }
                     *       ],
                     *       "usage": {
                     *         "input": 1,
                     *         "output": 1,
                     *         "cached": 1,
                     *         "made": {
                     *           "unit": "image",
                     *           "count": 1
                     *         }
                     *       },
                     *       "ms": 1,
                     *       "price": {
                     *         "usd": 1,
                     *         "dated": "text"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Compared"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_undo: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "seq": 1
                 *     }
                 */
                readonly "application/json": components["schemas"]["UndoRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "undone": 1,
                     *       "by": [
                     *         1
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Undone"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_update: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /** @example {} */
                readonly "application/json": components["schemas"]["PersonaUpdateRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "active",
                     *       "running": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PersonaUpdated"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_persona_persona_id_usage: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Start of the range. An ISO date or date-time. Without an offset it is in the time zone of the daemon.
                 * @example 2026-11-01
                 */
                readonly from?: string;
                /**
                 * @description End of the range, exclusive. An ISO date or date-time. Without an offset it is in the time zone of the daemon.
                 * @example 2026-12-01
                 */
                readonly to?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": {
                     *         "calls": 1,
                     *         "failed": 1,
                     *         "tries": 1,
                     *         "input": 1,
                     *         "output": 1,
                     *         "cached": 1,
                     *         "images": 1,
                     *         "characters": 1,
                     *         "seconds": 1,
                     *         "ms": 1,
                     *         "usd": 1,
                     *         "unpriced": 1,
                     *         "dated": [
                     *           "text"
                     *         ]
                     *       },
                     *       "organs": [
                     *         {
                     *           "organ": "thinking",
                     *           "calls": 1,
                     *           "failed": 1,
                     *           "tries": 1,
                     *           "input": 1,
                     *           "output": 1,
                     *           "cached": 1,
                     *           "images": 1,
                     *           "characters": 1,
                     *           "seconds": 1,
                     *           "ms": 1,
                     *           "usd": 1,
                     *           "unpriced": 1,
                     *           "dated": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "models": [
                     *         {
                     *           "provider": "anthropic",
                     *           "model": "embedded/practice",
                     *           "calls": 1,
                     *           "failed": 1,
                     *           "tries": 1,
                     *           "input": 1,
                     *           "output": 1,
                     *           "cached": 1,
                     *           "images": 1,
                     *           "characters": 1,
                     *           "seconds": 1,
                     *           "ms": 1,
                     *           "usd": 1,
                     *           "unpriced": 1,
                     *           "dated": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "causes": [
                     *         {
                     *           "cause": "turn",
                     *           "calls": 1,
                     *           "failed": 1,
                     *           "tries": 1,
                     *           "input": 1,
                     *           "output": 1,
                     *           "cached": 1,
                     *           "images": 1,
                     *           "characters": 1,
                     *           "seconds": 1,
                     *           "ms": 1,
                     *           "usd": 1,
                     *           "unpriced": 1,
                     *           "dated": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "days": [
                     *         {
                     *           "day": "text",
                     *           "calls": 1,
                     *           "failed": 1,
                     *           "tries": 1,
                     *           "input": 1,
                     *           "output": 1,
                     *           "cached": 1,
                     *           "images": 1,
                     *           "characters": 1,
                     *           "seconds": 1,
                     *           "ms": 1,
                     *           "usd": 1,
                     *           "unpriced": 1,
                     *           "dated": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "from": "2026-11-01",
                     *       "to": "2026-12-01",
                     *       "today": {
                     *         "tokens": 1,
                     *         "ceiling": 1,
                     *         "anew": "text"
                     *       },
                     *       "prices": {
                     *         "dated": "text",
                     *         "own": true
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    readonly post_api_persona_persona_id_verify: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Compare every snapshot with a replay of all facts.
                 * @example true
                 */
                readonly deep?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @example ada */
                readonly persona_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": 1,
                     *       "head": "text",
                     *       "intact": true,
                     *       "first_bad": 1,
                     *       "media": {
                     *         "checked": 1,
                     *         "unhashed": 1,
                     *         "missing": [
                     *           "text"
                     *         ],
                     *         "damaged": [
                     *           "text"
                     *         ]
                     *       },
                     *       "snapshots": {
                     *         "checked": 1,
                     *         "wrong": [
                     *           1
                     *         ]
                     *       },
                     *       "diaries": [
                     *         {
                     *           "time": "2026-11-24T09:00:00.000+01:00",
                     *           "events": 1,
                     *           "bytes": 1,
                     *           "readable": true,
                     *           "current": true
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Verified"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_create: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "thinking_model": "embedded/practice"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PersonaCreateRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "persona": {
                     *         "id": "12",
                     *         "name": "Ada",
                     *         "thinking": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "version": "0.1.0",
                     *         "base_model": "text",
                     *         "birthday": "2026-11-23",
                     *         "status": "active",
                     *         "idle_timeout": 1,
                     *         "imagination": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "mouth": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "eye": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "ear": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "teacher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "researcher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "channels": [
                     *           {
                     *             "type": "telegram",
                     *             "name": "Ada",
                     *             "credentials": {
                     *               "token": "123456789:AAF…"
                     *             },
                     *             "verified_at": "text"
                     *           }
                     *         ]
                     *       },
                     *       "recovery_phrase": "text"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PersonaCreated"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_persona_migrate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "diary": "ada.diary",
                 *       "phrase": "abandon ability able …",
                 *       "model": "embedded/practice"
                 *     }
                 */
                readonly "multipart/form-data": components["schemas"]["Body_migrate"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "persona": {
                     *         "id": "12",
                     *         "name": "Ada",
                     *         "thinking": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "version": "0.1.0",
                     *         "base_model": "text",
                     *         "birthday": "2026-11-23",
                     *         "status": "active",
                     *         "idle_timeout": 1,
                     *         "imagination": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "mouth": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "eye": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "ear": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "teacher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "researcher": {
                     *           "name": "Ada",
                     *           "provider": "anthropic",
                     *           "url": "http://localhost:11434",
                     *           "api_key": "text"
                     *         },
                     *         "channels": [
                     *           {
                     *             "type": "telegram",
                     *             "name": "Ada",
                     *             "credentials": {
                     *               "token": "123456789:AAF…"
                     *             },
                     *             "verified_at": "text"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PersonaMigrated"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_personas: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "personas": [
                     *         {
                     *           "id": "12",
                     *           "name": "Ada",
                     *           "base_model": "text",
                     *           "birthday": "2026-11-23",
                     *           "running": true,
                     *           "status": "active",
                     *           "thinking": {
                     *             "name": "Ada",
                     *             "provider": "anthropic",
                     *             "url": "http://localhost:11434"
                     *           },
                     *           "imagination": {
                     *             "name": "Ada",
                     *             "provider": "anthropic",
                     *             "url": "http://localhost:11434"
                     *           },
                     *           "mouth": {
                     *             "name": "Ada",
                     *             "provider": "anthropic",
                     *             "url": "http://localhost:11434"
                     *           },
                     *           "eye": {
                     *             "name": "Ada",
                     *             "provider": "anthropic",
                     *             "url": "http://localhost:11434"
                     *           },
                     *           "ear": {
                     *             "name": "Ada",
                     *             "provider": "anthropic",
                     *             "url": "http://localhost:11434"
                     *           },
                     *           "teacher": {
                     *             "name": "Ada",
                     *             "provider": "anthropic",
                     *             "url": "http://localhost:11434"
                     *           },
                     *           "researcher": {
                     *             "name": "Ada",
                     *             "provider": "anthropic",
                     *             "url": "http://localhost:11434"
                     *           },
                     *           "channels": [
                     *             {
                     *               "type": "web",
                     *               "name": "Ada",
                     *               "verified": true
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PersonaList"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_api_push: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "public_key": "text"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PushKey"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_push: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "endpoint": "https://push.example/a1b2",
                 *       "keys": {
                 *         "p256dh": "BNcRdreALRFX…",
                 *         "auth": "tBHItJI5svbp…"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["PushSubscription"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "subscribed"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PushSubscribed"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_push_forget: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "endpoint": "https://push.example/a1b2"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PushForgetRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "forgotten"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PushForgotten"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_api_push_try: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "endpoint": "https://push.example/a1b2"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PushTryRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "sent"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PushTried"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_metrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example # HELP daimon_personas_running Personas that are served by an agent. */
                    readonly "text/plain": string;
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly post_v1_chat_completions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "model": "embedded/practice",
                 *       "messages": [
                 *         {
                 *           "role": "system"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "12",
                     *       "created": 1,
                     *       "model": "embedded/practice",
                     *       "object": "chat.completion",
                     *       "choices": [
                     *         {
                     *           "index": 1,
                     *           "message": {
                     *             "role": "assistant",
                     *             "content": "Hello",
                     *             "refusal": null
                     *           },
                     *           "logprobs": null,
                     *           "finish_reason": "stop"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "prompt_tokens": 1,
                     *         "completion_tokens": 1,
                     *         "total_tokens": 1,
                     *         "prompt_tokens_details": {
                     *           "cached_tokens": 1
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ChatCompletion"];
                    /**
                     * @example {
                     *       "id": "12",
                     *       "created": 1,
                     *       "model": "embedded/practice",
                     *       "object": "chat.completion.chunk",
                     *       "choices": [
                     *         {
                     *           "index": 1,
                     *           "delta": {
                     *             "role": "assistant"
                     *           },
                     *           "logprobs": null,
                     *           "finish_reason": "stop"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
            /** @description Payload Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
        };
    };
    readonly get_v1_models: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "12",
                     *           "object": "model",
                     *           "created": 1,
                     *           "owned_by": "daimon"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
        };
    };
    readonly get_v1_models_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 12 */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "12",
                     *       "object": "model",
                     *       "created": 1,
                     *       "owned_by": "daimon"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Model"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["V1Problem"];
                };
            };
        };
    };
}
