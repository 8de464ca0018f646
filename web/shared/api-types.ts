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
         * The address that an organ without one of its own calls, per provider
         * @description As set by environment, else where each provider is.
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
         * Whether the daemon lives
         * @description Looks into no journal.
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
         * @description Asks the runtime or provider itself, with the key that is given or the one of the environment.
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
         * The calls of tools that wait for the word of the person
         * @description Oldest first. The turn that asks waits aside, and others are taken meanwhile; after a day without an answer it counts as no.
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
         * Answer whether a tool may be used: for this call, always, or not
         * @description `always` is for that tool of that server as it is described now. The turn goes on at once where the persona runs, else when it runs again.
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
         * Show the persona a file on the web channel: a picture, a recording, a document; several are heard at once, the caption with the first
         * @description A form of one file or several and a caption. Without `wait` it answers as soon as the message is kept; the reply comes over the WebSocket.
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
         * What was and what is planned between two moments
         * @description Every occurrence that falls within, the earliest first.
         */
        readonly get: operations["get_api_persona_persona_id_calendar"];
        readonly put?: never;
        /**
         * Plan a reminder or an appointment, once or again and again
         * @description Times are local times where the persona lives, unless they have an offset.
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
         * @description What fell due lately and all that is planned, for a program that subscribes to calendars. It answers with 304 where nothing has changed.
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
         * Cancel an entry, all its later occurrences with it; also one that has fallen due and waits to be told
         * @description The entry stays in the journal and is told no more.
         */
        readonly delete: operations["delete_api_persona_persona_id_calendar_id"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an entry that has not fallen due: what is not given stays
         * @description Times are given as when it was planned.
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
         * What became different between two moments of its life; what came and went in between is no difference
         * @description Statements, instructions, plans, organs and channels as they differ, with what was said and spent in between.
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
         * Give a persona a bot to be spoken to through; it is paired with a chat afterwards. A bot that is there already stays one channel
         * @description The token is asked about at its platform before anything is kept. Whoever writes to the bot then gets a code, which `pair` takes.
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
         * Take a bot from the persona: every channel of exactly that name
         * @description What was said there stays.
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
         * What was said, the oldest first; backwards through its whole life by `before`
         * @description A page of the talk over all channels, with files and what became of each message.
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
         * Delete the persona and everything of it, for good
         * @description The last of its diaries stays for 30 days, unless `purge` asks for it to go too.
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
         * How the persona is: what its Mind has before it, its last 24 hours, its organs, its journal
         * @description Calls no model, and works whatever is wrong with the journal.
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
         * Make the words of facts gone for good
         * @description The words leave the journal, its indexes and its diaries; the chain of hashes still verifies. With `also`, what was made of the same words goes with them.
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
         * The diary of the persona as it is at this moment: everything it is, which only its recovery phrase opens
         * @description An age file, streamed. Keys and tokens are not in it.
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
         * Let the persona go over the conversations with another AI, as the file or the zip it was exported in: what the person told there of themselves becomes its memory, nothing of it its talk. Those it knows are skipped. Answers when all is done; /ws/system tells how far it is
         * @description A form of a file and the name of the system that it comes from. With `preview` nothing is fed, and what would be is listed.
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
         * Make another persona with the same past up to a moment, and wake it
         * @description It gets an id and a recovery phrase of its own, no channels and no keys; what was planned is disarmed.
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
         * Let the persona speak first, where nothing was ever said
         * @description Its greeting comes over the WebSocket. Once anything was said, while a greeting is under way, while its Mind does not answer, or under `DAIMON_GREETING=off`, it says that it is quiet and does nothing.
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
         * Speak to the persona on the web channel: a clip of sound
         * @description A form of one recording and a caption; its Ear, or its Mind, makes words of it.
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
         * @description Made from the journal alone: the persona, its memory, calendar and talk, as they stood then.
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
         * Decide whether pages of a host of the web are never read, asked about each time, or read unasked
         * @description The host as it stands in an address, in small letters, with its port where that is not the usual one. Names below it are hosts of their own.
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
         * End the turn in progress; what it had said stays
         * @description Where no turn is in progress it says so and does nothing.
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
         * Everything that ever happened to the persona, a fact a line, the oldest first. A damaged journal ends with {"damaged":{"seq","reason"}}
         * @description One JSON object a line. With `follow` it goes on with what is written from then on.
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
         * What the persona knows, and how it handles kinds of moments
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
         * @description The bytes as they came, with ranges. A file that is damaged is not served.
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
         * What the persona knows as single statements with their sources, and what it was to forget
         * @description Each statement with the messages that it comes from, and who made it. Beside them, what programs propose.
         */
        readonly get: operations["get_api_persona_persona_id_memories"];
        readonly put?: never;
        /**
         * Write down something the persona is to know; what stands there already in these words is not written twice
         * @description Its origin is the person.
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
         * Forget a statement; it is not learned again from what was said before, and can be brought back
         * @description It can be brought back by a PATCH with `forgotten: false`.
         */
        readonly delete: operations["delete_api_persona_persona_id_memories_id"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Put a statement right, forget it, or bring it back
         * @description What is not given stays. A corrected statement keeps its sources; what it said before is in its history.
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
         * @description A code is good for ten minutes.
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
         * Whether somebody has confirmed to have the recovery phrase
         * @description The words themselves are kept nowhere.
         */
        readonly get: operations["get_api_persona_persona_id_phrase"];
        readonly put?: never;
        /**
         * A new recovery phrase, and a diary that it opens
         * @description The words are told once and never again. Diaries that are sealed for the old phrase stay unless their removal is asked for.
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
         * Say that somebody has the recovery phrase
         * @description Kept with the persona until a new phrase is made. Never send the words: with `recipient` it is said which ones are meant, so that words of before confirm nothing.
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
         * Accept what a program proposed to be known, which makes it a statement, or decline it
         * @description Nothing of a proposal is known before it is accepted; one that was declined is gone.
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
         * Tell the persona something on the web channel
         * @description Without `wait` it answers as soon as the message is kept; the reply comes over the WebSocket. A repeated `Idempotency-Key` is the same message.
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
         * Build the agent of the persona anew from what is on disk; start it where none runs
         * @description Asks its Mind first, and changes nothing where that does not answer.
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
         * Copy a damaged journal and go on with what of it verifies
         * @description Only for a damaged journal. The copy stays beside it, and what was lost is noted as a fact.
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
         * Full-text search over everything said, shown, remembered, planned and learned. All words must be there, whatever their case and accents; "words in quotation marks" side by side; a last word that is not followed by a space, and any before a *, may be the beginning of one. By relevance, the best first: words may have other endings, those that say nothing need not be there, days such as "in May" count, and where nothing has all words, what has some is found; where DAIMON_EMBEDDINGS names a model, a question (it ends with a question mark, and nothing stands in quotation marks) also finds what means the same. What was forgotten, corrected or removed is not found
         * @description A page of what was found, each with where it stands in its text and in the journal.
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
         * @description A skill is used once the person has enabled it. What is offered lies in `~/.agents/skills` and is not the persona’s before it is added.
         */
        readonly get: operations["get_api_persona_persona_id_skills"];
        readonly put?: never;
        /**
         * Give the persona a skill; it is not used before it is enabled
         * @description A form of one file, `skill`, a zip or a tar of its folder or its SKILL.md alone; or of the name of one that is offered, `offered`. One of the same name is replaced, and is to be enabled anew; the same bytes once more change nothing.
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
         * A skill whole, with the text of every file, to be looked at before it is enabled
         * @description A skill whose files are gone, or are not the ones that were added, is not shown.
         */
        readonly get: operations["get_api_persona_persona_id_skills_name"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a skill, and its files
         * @description Diaries that were written before hold them still.
         */
        readonly delete: operations["delete_api_persona_persona_id_skills_name"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Enable a skill as it is, or disable it
         * @description Its files are looked at first: what is damaged is not enabled.
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
         * Let the persona sleep: what was said is gone over, the day is closed, its journal verified. What is said meanwhile is answered after
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
         * Wake the persona
         * @description Asks its Mind first, and changes nothing where that does not answer.
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
         * End the agent of the persona; files and status stay as they are
         * @description A turn in progress is put back and taken up again at the next start.
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
         * What the persona can use: its tool servers with what may be done with each tool, and its own tools
         * @description The servers as they were declared, secrets as `***`, with how each is now; nobody is asked for it. A tool that nobody has decided on is asked about, and so is a host of the web.
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
         * Declare a tool server of the persona, or declare it otherwise: one entry of the mcpServers form. A secret given as *** stays as it is
         * @description Values of `env` and `headers`, the query of the url, and every other value that is or may be a secret go to the secrets file, unless `plain_values` names it. The persona is not restarted, and what was decided of the tools stays.
         */
        readonly put: operations["put_api_persona_persona_id_tools_server"];
        readonly post?: never;
        /**
         * Remove a tool server; its secrets and what was decided of its tools go with it
         * @description What runs of it ends.
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
         * Decide whether a tool is off, asked about each time, or allowed as it is described now
         * @description A tool that is allowed is allowed as it is described now: described otherwise, it is asked about again.
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
         * Reach a tool server anew, and say what is wrong where it cannot be reached
         * @description Starts or connects it and asks for its tools. `reason` says in words what is wrong; `authorize` is where the person signs in, where it wants that.
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
         * Declare tool servers as another app has them: its configuration, pasted as it is. All of them, or none
         * @description The forms are those of `tools/read`. Names are changed to fit: letters, digits, hyphens and underscores, 32 of them at most. Servers that are switched off there are left out, and named.
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
         * Judge which values of declarations are secrets; stores nothing and returns no value
         * @description What is `unsure` is kept as a secret unless `plain_values` of the declaration names it. Values that are not listed are plain.
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
         * Read a pasted configuration of another app, and return its servers as mcpServers; stores nothing
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
         * What the persona took, perceived, thought, did, learned and said in a turn, and what it cost
         * @description With `bodies` every call of a model is told as it was sent and answered.
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
         * Send the first call of a turn to another model; nothing of it is kept or done
         * @description The call is sent as it was, so that two models can be told apart by what they make of the same words. It costs what such a call costs.
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
         * Take back what one fact of the journal did, by new facts
         * @description The fact itself stays. What depends on it, or cannot be taken back, is refused with the reason.
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
         * Change the status, name or organs; a running agent follows
         * @description What is not given stays; organs are asked for before anything is kept.
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
         * Tokens, time and money: in all, by organ, model, cause and day
         * @description Sums over the calls that the journal holds; prices are those of the list at the time of each call.
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
         * Recompute the chain of its whole journal, and look at what lies beside it
         * @description Every record is read and its hash made anew; it says where the first bad one stands.
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
         * Create a persona and wake it
         * @description Its organs are asked for before anything is kept. The answer holds the recovery phrase, once and never again.
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
         * Bring a persona back from its diary, with organs declared anew, and wake it
         * @description A form of the diary, its recovery phrase and the organs. All of the diary is checked before anything here changes.
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
         * @description Who lives here, whether it runs, and what it thinks with.
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
         * The key that a browser subscribes to pushes under
         * @description A VAPID public key, as `applicationServerKey` of `PushManager.subscribe` takes it.
         */
        readonly get: operations["get_api_push"];
        readonly put?: never;
        /**
         * Tell this browser of words while its page is closed
         * @description The body is `PushSubscription.toJSON()`. What a persona says by itself is told to every browser, an answer only where no page listens; sealed for the browser, so that its push service reads none of it.
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
         * Tell this browser nothing any more
         * @description Its endpoint is out of the home with the answer.
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
         * Tell this browser something, to see whether it arrives
         * @description Asks its push service once, and says what that answered.
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
         * What the daemon counts, as Prometheus text
         * @description In the text format of Prometheus, version 0.0.4. No name, id or word of anybody is in it.
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
         * Ask a persona as OpenAI’s API asks a model; nothing of it is remembered without `store`
         * @description For any client that speaks OpenAI’s protocol. `model` is the id or the name of a persona that runs; tools and sampling parameters are ignored.
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
         * The personas who run, as models of OpenAI’s API
         * @description As a client of OpenAI’s API expects models to be listed.
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
         * One persona that runs, by its id or its name
         * @description As a client of OpenAI’s API expects a model to be told.
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
            /** @description It took the place of another one of that name, and is to be enabled anew. */
            readonly changed: boolean;
            readonly description: string;
            /** @description Its persona may use it: the person has enabled it as it is. */
            readonly enabled: boolean;
            readonly files: readonly {
                readonly bytes: number;
                readonly path: string;
            }[];
            readonly name: string;
            /** @description Of all its bytes: another one is another skill. */
            readonly sha256: string;
        };
        readonly Approval: {
            /** @description It is allowed always, but the user has not seen this address yet. */
            readonly again: boolean;
            readonly asked_at: string;
            /** @description It was allowed, and is described otherwise since. */
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
            /** @description Who had it written, in which life and turn, and which fact it takes back. */
            readonly cause: {
                readonly by: string;
                readonly life?: number;
                readonly turn?: number;
                readonly undoes?: number;
            };
            /** @description What all facts that were written together share. */
            readonly commit: string;
            /**
             * @description Only where its payload was erased.
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
            /** @description Of the spelling of its payload. */
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
            /** @description Your name in chats between people, as the file writes it, if the file does not say who you are. The preview lists the names in `people`. */
            readonly me?: string;
            /** @description Places of the conversations to go over, in the order of the preview and from 1 on: `1,3,4`. Without it all of them. */
            readonly only?: string;
            /** @description The recovery phrase that opens a diary of Eternego; not kept. */
            readonly phrase?: string;
            /** @description Which AI exported it: any name. */
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
            /** @description Of read_page: the hosts of the web that were decided on. Every other one is asked about. */
            readonly hosts?: readonly components["schemas"]["WebHost"][];
            readonly name: string;
        };
        readonly Calendar: {
            /** @description What is planned. Of what recurs, the next time alone. */
            readonly destiny: {
                readonly reminder: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
                    readonly time: string;
                    /** @description Where words of others in it came from. */
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
                    /** @description Where words of others in it came from. */
                    readonly via?: {
                        readonly by: string | null;
                        /** @enum {string} */
                        readonly from: "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted" | "file" | "page" | "tool" | "skill" | "teacher" | "history" | "talk";
                    };
                }[];
            };
            readonly end: string;
            /** @description The days that are over, and what fell due, at the time it was for. */
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
                    /** @description Where words of others in it came from. */
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
                    /** @description Where words of others in it came from. */
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
            /** @description When it comes next, with its offset. */
            readonly time: string;
            /** @description The same on the wall there. */
            readonly when: string;
            /** @description The zone that was asked for; UTC for what comes once, in the second of an hour that comes twice: it has no name there. */
            readonly zone: string;
        };
        readonly CalendarEntryChange: {
            readonly content?: string;
            /** @enum {string} */
            readonly kind?: "reminder" | "schedule";
            /** @description Null ends it: it comes once more, at its next time. */
            readonly recurrence?: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
            /** @description Local date and time, as 2026-11-24T09:00, or one with an offset. */
            readonly when?: string;
            /** @description IANA name of the zone that it is meant in from now on; null for where the daemon lives. Without `when`, the time on the wall stays. */
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
            /** @description Local date and time, as 2026-11-24T09:00, or one with an offset. What recurs comes first at its first time from then on. */
            readonly when: string;
            /** @description IANA name of the zone that it is meant in; where the daemon lives, if none is given. */
            readonly zone?: string | null;
        };
        readonly CallBody: {
            /** @description Null where another fact holds it. */
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
            /** @description What it was put together from, in order; null where that was not kept. */
            readonly parts: readonly {
                /** @description The fact whose words they are; null for the daemon’s own. */
                readonly from: number | null;
                /** @description Kept no longer, or lost. */
                readonly gone: boolean;
                readonly sha256: string | null;
                readonly text: string | null;
            }[] | null;
            readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
            /** @description Null for what an organ without tools was sent: its words are the parts, its file a fact. */
            readonly sent: {
                readonly messages: readonly {
                    readonly [key: string]: unknown;
                }[];
                readonly system: string;
                /** @description Null where they are not kept any more. */
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
            /** @description It is what was sent, to the letter: its hash is the one of then. */
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
                /** @description As they read before. */
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
            /** @description That were said in between. */
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
            /** @description Of the calls in between. */
            readonly usage: {
                readonly causes: readonly {
                    /** @description Of the input tokens, those that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    /** @enum {string} */
                    readonly cause: "turn" | "perception" | "tool" | "api" | "consolidation" | "history";
                    readonly characters: number;
                    /** @description Dates of the price lists it was charged by. */
                    readonly dated: readonly string[];
                    /** @description Of the calls, those that got no answer: what they cost is not known. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    readonly output: number;
                    readonly seconds: number;
                    /** @description How often a provider was called for it all. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null where no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly days: readonly {
                    /** @description Of the input tokens, those that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists it was charged by. */
                    readonly dated: readonly string[];
                    readonly day: string;
                    /** @description Of the calls, those that got no answer: what they cost is not known. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    readonly output: number;
                    readonly seconds: number;
                    /** @description How often a provider was called for it all. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null where no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly models: readonly {
                    /** @description Of the input tokens, those that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists it was charged by. */
                    readonly dated: readonly string[];
                    /** @description Of the calls, those that got no answer: what they cost is not known. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly model: string;
                    readonly ms: number;
                    readonly output: number;
                    readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
                    readonly seconds: number;
                    /** @description How often a provider was called for it all. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null where no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly organs: readonly {
                    /** @description Of the input tokens, those that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists it was charged by. */
                    readonly dated: readonly string[];
                    /** @description Of the calls, those that got no answer: what they cost is not known. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    /** @enum {string} */
                    readonly organ: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
                    readonly output: number;
                    readonly seconds: number;
                    /** @description How often a provider was called for it all. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null where no answer had a price. */
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
                /** @description Of the bot, as its platform gave it. */
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
            /** @description The chat it is paired with; before that, the user name of its bot. */
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
            /** @description The id of a persona who runs, or its name where nobody else has it. */
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
            /** @description The tools it would use. None is used. */
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
            /** @description How its words for a platform fared; null where there was none to bring them to. */
            readonly delivery: {
                readonly reason: string | null;
                /** @enum {string} */
                readonly state: "waiting" | "sent" | "failed";
            } | null;
            readonly id: number;
            readonly media: components["schemas"]["MediaView"] | null;
            /** @description Whose words stand in it; only where not all of them are the person’s own. */
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
            /** @description It was gone over already, and will not be again. */
            readonly known: boolean;
            readonly messages: number;
            /** @description When it was last changed. */
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
                /** @description Words of the persona that are still to be brought there. */
                readonly waiting: number;
            }[];
            /** @description Those that are kept in the daemon; null where the disk does not tell. */
            readonly diaries: {
                readonly kept: number;
                readonly last: {
                    readonly bytes: number;
                    readonly events: number;
                    readonly time: string;
                } | null;
                /** @description Of them, those that only an older phrase opens. */
                readonly older: number;
            } | null;
            /** @description Only where DAIMON_EMBEDDINGS names a model. */
            readonly embeddings?: {
                readonly model: string;
                /** @description Why nothing is embedded just now. */
                readonly reason: string | null;
                /** @description That they took, where the provider tells. */
                readonly tokens: number;
                /** @description Position in the journal up to which all that can be found has its vectors. */
                readonly up_to: number;
                readonly vectors: number;
            };
            /** @description Seconds of silence after which it goes over what was said. */
            readonly idle_timeout: number;
            readonly journal: {
                /** @description On the disk. */
                readonly bytes: number;
                /** @description As its journal has grown of late; null while little was said. */
                readonly bytes_per_1000_messages: number | null;
                /** @description Only in a cluster: what an acknowledged commit can be relied on for. */
                readonly durability?: {
                    /** @description Seconds since the servers told that. */
                    readonly age: number;
                    /** @description Of those, the ones that follow their leader now. */
                    readonly current: number;
                    /** @description What is otherwise on the servers than the daemon asks for; none is right. */
                    readonly differs: readonly string[];
                    /** @constant */
                    readonly engine: "jetstream";
                    /** @description Servers that keep each commit; most of them acknowledge it. */
                    readonly replicas: number;
                    /** @description Version of the server that the daemon is connected to. */
                    readonly server: string;
                };
                readonly events: number;
                /** @description Chain hash of the last record, hex. */
                readonly head: string;
                /** @description When the whole chain was last found intact; null where nobody knows. */
                readonly verified_at: string | null;
            };
            readonly mind: {
                /** @description Days that are over, the newest first; the last thirty. */
                readonly archive: readonly {
                    readonly body: string;
                    readonly time: string;
                }[];
                /** @description What it carries in mind of all that was said before. */
                readonly context: string;
                /** @description What was said since it last went over it, the oldest first; the last hundred, long ones cut. */
                readonly messages: readonly {
                    readonly content: string;
                    readonly id: number;
                    /** @enum {string} */
                    readonly role: "person" | "assistant";
                    readonly time: string;
                }[];
            };
            /** @description Those it has. */
            readonly organs: {
                readonly [key: string]: components["schemas"]["OrganHealth"];
            };
            /** @description Why it is not well or not awake; null where nothing is known to be wrong. */
            readonly reason: string | null;
            readonly running: boolean;
            /** @enum {string} */
            readonly status: "active" | "hibernate" | "sick";
            /** @description 24 rows of 60 minutes, the newest first both ways, beginning with the current minute; a row goes from `from` to before `to`. */
            readonly uptime: {
                readonly rows: readonly {
                    readonly cells: readonly {
                        readonly at: string;
                        readonly fault: boolean;
                        /** @description That failed. */
                        readonly providers: readonly ("local" | "anthropic" | "openai" | "xai" | "gemini")[];
                        /** @description What went on. */
                        readonly signals: readonly ("woke" | "stopped" | "waking failed" | "turn" | "perception" | "program" | "reminder" | "consolidation" | "sleep" | "organ failed" | "recovered" | "sick" | "salvaged")[];
                        /** @description It was served in this minute. */
                        readonly tick: boolean;
                    }[];
                    readonly from: string;
                    readonly to: string;
                }[];
            };
            /** @description Of the service. */
            readonly version: string;
        };
        readonly Erased: {
            /** @description Facts that were made of the same words: erased where that was asked for, else left as they are. */
            readonly also: readonly number[];
            /** @description Diaries in the daemon that held the words: removed where that was asked for. */
            readonly diaries: number;
            readonly erased: readonly number[];
            /** @description Other personas that hold the same facts: forks of it, the one it was forked from, and forks of those. */
            readonly forks: readonly {
                /** @description Those of the facts that it holds, too. */
                readonly facts: readonly number[];
                readonly id: string;
                readonly name: string;
                /**
                 * @description What became of the words there.
                 * @enum {string}
                 */
                readonly outcome: "kept" | "erased" | "refused";
                /** @description Why they could not be erased there. */
                readonly reason: string | null;
            }[];
            /** @description When those were written. */
            readonly held_in: readonly string[];
        };
        readonly EraseRequest: {
            /** @description The words of what was made of them go, too. */
            readonly also?: boolean;
            /** @description Diaries in the daemon that hold the words go, too. */
            readonly diaries?: boolean;
            /** @description The words go from other personas of the same past, too: `true` for all of them, or the ids of some. */
            readonly forks?: boolean | readonly string[];
            /** @description Nothing goes: the answer says what would. */
            readonly preview?: boolean;
            /** @description Positions of the facts, as `journal` tells them. */
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
            /** @description Id of the message: its own, or that of the one a file came with. */
            readonly message: number | null;
            /** @description What it last was: local time in its zone, and whether it is still to come. */
            readonly plan: {
                readonly id: string;
                /** @enum {string} */
                readonly kind: "reminder" | "schedule";
                readonly open: boolean;
                readonly wall: string;
                readonly zone: string;
            } | null;
            /** @description Who said it, or showed the file. */
            readonly role: ("person" | "assistant") | null;
            /** @description The part around the first word that was found, some 300 characters at most. */
            readonly text: string;
            readonly time: string;
            readonly turn: number | null;
        };
        readonly Greeted: {
            /** @enum {string} */
            readonly status: "greeting" | "quiet";
        };
        readonly Health: {
            /** @description Lines of its log that could not be written since its start. */
            readonly log_lines_dropped: number;
            /** @constant */
            readonly status: "ok";
            /** @description Seconds. */
            readonly uptime: number;
            readonly version: string;
            /** @description What does not work as it should in the daemon itself, and what to do; empty if all is well. */
            readonly warnings: readonly string[];
            /** @description IANA name of the time zone it lives in. */
            readonly zone: string;
        };
        readonly History: {
            /** @description Its last fact by then. */
            readonly at: components["schemas"]["Moment"];
            /** @description What was still to come, and what had fallen due and was not told yet. */
            readonly calendar: {
                readonly due: readonly {
                    readonly body: string;
                    readonly id: string;
                    readonly recurrence: ("hourly" | "daily" | "weekly" | "monthly" | "yearly") | null;
                    readonly time: string;
                    /** @description Where words of others in it came from. */
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
                    /** @description Where words of others in it came from. */
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
                    /** @description Where words of others in it came from. */
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
            /** @description Those it had learned. */
            readonly instructions: readonly {
                readonly body: string;
                readonly id: string;
                readonly intention: string;
            }[];
            /** @description As the route of that name told it; built-in instructions are those of now. */
            readonly knowledge: components["schemas"]["Knowledge"];
            readonly memories: readonly components["schemas"]["Memory"][];
            /** @description Without its keys and tokens: no moment of the past holds any. */
            readonly persona: components["schemas"]["PersonaRecord"];
            /** @enum {string} */
            readonly status: "active" | "hibernate" | "sick";
            readonly usage: {
                readonly causes: readonly {
                    /** @description Of the input tokens, those that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    /** @enum {string} */
                    readonly cause: "turn" | "perception" | "tool" | "api" | "consolidation" | "history";
                    readonly characters: number;
                    /** @description Dates of the price lists it was charged by. */
                    readonly dated: readonly string[];
                    /** @description Of the calls, those that got no answer: what they cost is not known. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    readonly output: number;
                    readonly seconds: number;
                    /** @description How often a provider was called for it all. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null where no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly days: readonly {
                    /** @description Of the input tokens, those that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists it was charged by. */
                    readonly dated: readonly string[];
                    readonly day: string;
                    /** @description Of the calls, those that got no answer: what they cost is not known. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    readonly output: number;
                    readonly seconds: number;
                    /** @description How often a provider was called for it all. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null where no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly models: readonly {
                    /** @description Of the input tokens, those that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists it was charged by. */
                    readonly dated: readonly string[];
                    /** @description Of the calls, those that got no answer: what they cost is not known. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly model: string;
                    readonly ms: number;
                    readonly output: number;
                    readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
                    readonly seconds: number;
                    /** @description How often a provider was called for it all. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null where no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly organs: readonly {
                    /** @description Of the input tokens, those that a provider read from its cache. */
                    readonly cached: number;
                    readonly calls: number;
                    readonly characters: number;
                    /** @description Dates of the price lists it was charged by. */
                    readonly dated: readonly string[];
                    /** @description Of the calls, those that got no answer: what they cost is not known. */
                    readonly failed: number;
                    readonly images: number;
                    readonly input: number;
                    readonly ms: number;
                    /** @enum {string} */
                    readonly organ: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
                    readonly output: number;
                    readonly seconds: number;
                    /** @description How often a provider was called for it all. */
                    readonly tries: number;
                    /** @description Answers without a price. */
                    readonly unpriced: number;
                    /** @description Null where no answer had a price. */
                    readonly usd: number | null;
                }[];
                readonly total: components["schemas"]["Sum"];
            };
        };
        readonly HistoryPreview: {
            readonly conversations: readonly components["schemas"]["ConversationPreview"][];
            /** @description Sentences for the user: that no conversation was found, and the notes. */
            readonly detail?: string;
            /** @description A sentence for each encoding that was guessed, and one with what was left out, by reason. */
            readonly notes?: readonly string[];
            /** @description Names in chats between people in which it is not known who you are: send yours as `me`. */
            readonly people?: readonly string[];
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
            /** @description Of `args` the index, of `env` and `headers` the name. */
            readonly key: (string | number) | null;
            /** @description The option, variable, header or field that it stands under. */
            readonly name: string | null;
            readonly server: string;
            /** @description UTF-16 units of the text, up to `end`. */
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
             * @description Only where it is somebody else’s, which the person passed on: how it came.
             * @enum {string}
             */
            readonly from?: "person" | "persona" | "daemon" | "program" | "forwarded" | "quoted" | "replied" | "embedded" | "shared" | "pasted";
            readonly mime: string;
            readonly name: string;
            readonly url: string;
        };
        readonly Memories: {
            readonly memories: readonly components["schemas"]["Memory"][];
            /** @description What programs would have it know. Nothing of it is known before it is accepted. */
            readonly proposed: readonly components["schemas"]["Proposal"][];
        };
        readonly Memory: {
            /** @enum {string} */
            readonly document: "person" | "traits" | "persona-trait" | "wishes" | "struggles" | "permissions";
            readonly forgotten: boolean;
            readonly id: string;
            /**
             * @description Who made it: the persona in a turn or when it went over what was said, or the person, by hand or by accepting what was proposed.
             * @enum {string}
             */
            readonly origin: "persona" | "person" | "consolidation" | "history";
            /** @description Records of its journal it comes from; none where it was written by hand. */
            readonly sources: readonly number[];
            readonly text: string;
            readonly time: string;
            /** @description Where words of others in it came from; null if all of it is the user’s own. A marked statement grants nothing. */
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
            /** @description The id of a persona who runs. */
            readonly id: string;
            /** @constant */
            readonly object: "model";
            /** @constant */
            readonly owned_by: "daimon";
        };
        readonly ModelDetails: {
            /** @description What its file takes; null where it is not told. */
            readonly bytes: number | null;
            readonly name: string;
            /** @description Whether it can call tools; null where it is not told. */
            readonly tools: boolean | null;
        };
        readonly ModelList: {
            readonly data: readonly components["schemas"]["Model"][];
            /** @constant */
            readonly object: "list";
        };
        readonly ModelNames: {
            /** @description Of local models, where asked for. */
            readonly details?: readonly components["schemas"]["ModelDetails"][];
            /** @description Bytes of this machine, where details are asked for. */
            readonly memory?: number;
            readonly models: readonly string[];
            /** @description Why no name can be told, where details are asked for. */
            readonly reason?: string | null;
        };
        readonly ModelsRequest: {
            readonly api_key?: string | null;
            /** @description Tells more of each local model; and where no name can be told, the reason beside an empty list. */
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
             * @description Only where its saved key is gone and must be entered again.
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
            /** @description What its server refused by name since the daemon was started, and is no longer asked. */
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
            /** @description As the bot told it in the chat, within 10 minutes. Case, spaces and hyphens do not matter. */
            readonly code: string;
        };
        readonly PersonaCreated: {
            readonly persona: components["schemas"]["PersonaRecord"];
            /** @description 24 words, told this once. */
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
            /** @description A sentence for each encoding that was guessed, and one with what was left out, by reason. */
            readonly notes?: readonly string[];
            readonly persona: components["schemas"]["PersonaRecord"];
        };
        readonly PersonaForked: {
            readonly persona: components["schemas"]["PersonaRecord"];
            /** @description 24 words of its own, told this once. */
            readonly recovery_phrase: string;
        };
        readonly PersonaForkRequest: {
            readonly api_key?: string | null;
            /** @description A position in the journal, or an ISO date or date-time (without an offset it is meant where the daemon lives): then the last fact whose time is not later counts, in the order of the journal, whatever the clock did. Now where it is not given. */
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
            /** @description As it was called then where it is not given. */
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
            /** @description The first that they open. */
            readonly diary: {
                readonly bytes: number;
                readonly events: number;
                readonly time: string;
            };
            /** @description Diaries in the daemon that only an older phrase opens. */
            readonly older: number;
            /** @description 24 words, told this once. */
            readonly recovery_phrase: string;
        };
        readonly PhraseConfirmRequest: {
            readonly recipient?: string;
        };
        readonly PhraseState: {
            readonly confirmed: boolean;
            /** @description The public key made of the words, for which diaries are sealed. */
            readonly recipient: string;
        };
        readonly Problem: {
            readonly detail: string;
        };
        readonly Proposal: {
            /** @description What the program calls itself that proposed it, where it says so. */
            readonly by: string | null;
            /** @enum {string} */
            readonly document: "person" | "traits" | "persona-trait" | "wishes" | "struggles" | "permissions";
            /** @description Of the statement, too, that it becomes where it is accepted. */
            readonly id: string;
            readonly text: string;
            readonly time: string;
        };
        readonly ProposalAnswer: {
            readonly accepted: boolean;
        };
        readonly ProposalSettled: {
            /** @description Null where it was declined. */
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
            /** @description Only with `wait`: all it said in the turn that took the message; null when the time is over, or it is stopped meanwhile. */
            readonly reply?: components["schemas"]["Reply"] | null;
            /** @constant */
            readonly status: "received";
        };
        readonly Reply: {
            readonly content: string;
            /** @description Position of its last words in the journal. */
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
            /** @description What was allowed and what it is now, as JSON. */
            readonly change?: {
                readonly after: string;
                readonly before: string | null;
            };
            readonly description: string;
            /**
             * @description `changed`: it was allowed, and is described otherwise since: it is asked about.
             * @enum {string}
             */
            readonly mode: "off" | "ask" | "allow" | "changed";
            readonly name: string;
        };
        readonly Skill: {
            readonly description: string;
            /** @description Its persona may use it: the person has enabled it as it is. */
            readonly enabled: boolean;
            readonly files: readonly {
                readonly bytes: number;
                readonly path: string;
            }[];
            readonly name: string;
            /** @description Of all its bytes: another one is another skill. */
            readonly sha256: string;
        };
        readonly SkillRequest: {
            readonly enabled: boolean;
            /** @description What was looked at: where it is another one now, nothing is enabled. */
            readonly sha256?: string;
        };
        readonly Skills: {
            /** @description What lies in ~/.agents/skills: none of it is used before it is added and enabled. */
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
            /** @description Of the input tokens, those that a provider read from its cache. */
            readonly cached: number;
            readonly calls: number;
            readonly characters: number;
            /** @description Dates of the price lists it was charged by. */
            readonly dated: readonly string[];
            /** @description Of the calls, those that got no answer: what they cost is not known. */
            readonly failed: number;
            readonly images: number;
            readonly input: number;
            readonly ms: number;
            readonly output: number;
            readonly seconds: number;
            /** @description How often a provider was called for it all. */
            readonly tries: number;
            /** @description Answers without a price. */
            readonly unpriced: number;
            /** @description Null where no answer had a price. */
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
            /** @description Where the person signs in, as long as that is needed. */
            readonly authorize: string | null;
            readonly name: string;
            readonly reason: string | null;
            /** @description As it was declared, secrets as `***`. */
            readonly server: components["schemas"]["ToolServerRequest"];
            /**
             * @description `off`: nothing of it runs now; it is started when it is needed.
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
            /** @description Values that the configuration asks for, as `{input:id}` behind a dollar sign. */
            readonly inputs: readonly {
                readonly description: string;
                readonly id: string;
                readonly secret: boolean;
                /** @description Read from the environment of the daemon if no value was given. */
                readonly variable: string;
            }[];
            readonly servers: readonly components["schemas"]["ToolServer"][];
            /** @description Those that are switched off there. */
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
            /** @description Values that the configuration asks for, as `{input:id}` behind a dollar sign. */
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
            /** @description Those that are switched off there. */
            readonly skipped: readonly string[];
        };
        readonly ToolServersRequest: {
            /** @description Values of `inputs`, by their ids. */
            readonly input_values?: {
                readonly [key: string]: string;
            };
            /** @description Servers by their names, or another key of a known form. */
            readonly mcpServers?: unknown;
            /** @description The configuration as text, of any form; without it, the other fields are the configuration. */
            readonly text?: string;
        } & {
            readonly [key: string]: unknown;
        };
        readonly ToolUse: {
            /** @description Of a tool of a server: what the person said, `always` where it was allowed before. */
            readonly allowed: ("once" | "always" | "no" | "expired" | "withdrawn" | "waiting") | null;
            readonly id: string;
            readonly input: unknown;
            /** @description From when it began to its answer. */
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
            /** @description Beside its steps: to perceive, by a tool, or without an answer. */
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
            /** @description False where it is too long to be shown whole. */
            readonly complete: boolean;
            readonly due: readonly {
                readonly content: string | null;
                readonly id: string;
                readonly kind: ("reminder" | "schedule") | null;
            }[];
            readonly ended: string | null;
            /** @description What else the journal took in it, as frames show it: kept, planned, learned. */
            readonly facts: readonly {
                readonly details: {
                    readonly [key: string]: unknown;
                };
                readonly id: number;
                readonly time: string;
                readonly title: string;
            }[];
            /** @description That the persona made in it. */
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
            /** @description Positions of the new facts; each can be taken back in turn. */
            readonly by: readonly number[];
            /** @description What could not be put back with it: a key that is gone. */
            readonly note?: string;
            readonly undone: number;
        };
        readonly UndoRequest: {
            /** @description Its position in the journal. */
            readonly seq: number;
        };
        readonly Usage: {
            readonly causes: readonly {
                /** @description Of the input tokens, those that a provider read from its cache. */
                readonly cached: number;
                readonly calls: number;
                /** @enum {string} */
                readonly cause: "turn" | "perception" | "tool" | "api" | "consolidation" | "history";
                readonly characters: number;
                /** @description Dates of the price lists it was charged by. */
                readonly dated: readonly string[];
                /** @description Of the calls, those that got no answer: what they cost is not known. */
                readonly failed: number;
                readonly images: number;
                readonly input: number;
                readonly ms: number;
                readonly output: number;
                readonly seconds: number;
                /** @description How often a provider was called for it all. */
                readonly tries: number;
                /** @description Answers without a price. */
                readonly unpriced: number;
                /** @description Null where no answer had a price. */
                readonly usd: number | null;
            }[];
            readonly days: readonly {
                /** @description Of the input tokens, those that a provider read from its cache. */
                readonly cached: number;
                readonly calls: number;
                readonly characters: number;
                /** @description Dates of the price lists it was charged by. */
                readonly dated: readonly string[];
                readonly day: string;
                /** @description Of the calls, those that got no answer: what they cost is not known. */
                readonly failed: number;
                readonly images: number;
                readonly input: number;
                readonly ms: number;
                readonly output: number;
                readonly seconds: number;
                /** @description How often a provider was called for it all. */
                readonly tries: number;
                /** @description Answers without a price. */
                readonly unpriced: number;
                /** @description Null where no answer had a price. */
                readonly usd: number | null;
            }[];
            readonly from: string | null;
            readonly models: readonly {
                /** @description Of the input tokens, those that a provider read from its cache. */
                readonly cached: number;
                readonly calls: number;
                readonly characters: number;
                /** @description Dates of the price lists it was charged by. */
                readonly dated: readonly string[];
                /** @description Of the calls, those that got no answer: what they cost is not known. */
                readonly failed: number;
                readonly images: number;
                readonly input: number;
                readonly model: string;
                readonly ms: number;
                readonly output: number;
                readonly provider: ("anthropic" | "openai" | "xai" | "gemini") | null;
                readonly seconds: number;
                /** @description How often a provider was called for it all. */
                readonly tries: number;
                /** @description Answers without a price. */
                readonly unpriced: number;
                /** @description Null where no answer had a price. */
                readonly usd: number | null;
            }[];
            readonly organs: readonly {
                /** @description Of the input tokens, those that a provider read from its cache. */
                readonly cached: number;
                readonly calls: number;
                readonly characters: number;
                /** @description Dates of the price lists it was charged by. */
                readonly dated: readonly string[];
                /** @description Of the calls, those that got no answer: what they cost is not known. */
                readonly failed: number;
                readonly images: number;
                readonly input: number;
                readonly ms: number;
                /** @enum {string} */
                readonly organ: "thinking" | "imagination" | "mouth" | "eye" | "ear" | "teacher" | "researcher";
                readonly output: number;
                readonly seconds: number;
                /** @description How often a provider was called for it all. */
                readonly tries: number;
                /** @description Answers without a price. */
                readonly unpriced: number;
                /** @description Null where no answer had a price. */
                readonly usd: number | null;
            }[];
            /** @description The price list that new calls are charged by; `own` lies in the home. */
            readonly prices: {
                readonly dated: string;
                readonly own: boolean;
            };
            readonly to: string | null;
            /** @description Tokens of the day so far, whatever was asked for. */
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
                /** @description Sealed for the recovery phrase of now. */
                readonly current: boolean;
                readonly events: number;
                /** @description As far as that can be told without the recovery phrase. */
                readonly readable: boolean;
                readonly time: string;
            }[];
            readonly events: number;
            readonly first_bad: number | null;
            readonly head: string;
            readonly intact: boolean;
            /** @description Its files; null where the journal is not whole. */
            readonly media: {
                readonly checked: number;
                readonly damaged: readonly string[];
                readonly missing: readonly string[];
                /** @description Files of which no fact says what their bytes were. */
                readonly unhashed: number;
            } | null;
            /** @description Kept states, each compared with a replay of all facts; null unless that was asked for. */
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
            /** @description Its persona may use it: the person has enabled it as it is. */
            readonly enabled: boolean;
            readonly files: readonly {
                readonly bytes: number;
                readonly path: string;
                /** @description It would run elsewhere; here it is only read. */
                readonly script: boolean;
                /** @description Null for a file that is no text. */
                readonly text: string | null;
            }[];
            readonly name: string;
            /** @description Of all its bytes: another one is another skill. */
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
                 * @description Seconds to wait for its reply. Opens the web channel by itself.
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
                 * @description The first moment that counts no more. An ISO date or date-time; without an offset it is meant where the daemon lives.
                 * @example 2026-12-01
                 */
                readonly end: string;
                /**
                 * @description The first moment that counts. An ISO date or date-time; without an offset it is meant where the daemon lives.
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
                 * @description A position in the journal, or an ISO date or date-time (without an offset it is meant where the daemon lives): then the last fact whose time is not later counts, in the order of the journal, whatever the clock did. Before the first fact there was nothing.
                 * @example 2026-11-01
                 */
                readonly from: string;
                /**
                 * @description A position in the journal, or an ISO date or date-time (without an offset it is meant where the daemon lives): then the last fact whose time is not later counts, in the order of the journal, whatever the clock did. Now, where it is not given.
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
                 * @description Also when the runtime of its local model cannot be reached, or its journal is damaged.
                 * @example true
                 */
                readonly force?: boolean;
                /**
                 * @description Its diaries too. Else the last one stays for 30 days, which only its recovery phrase opens.
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
                 * @description Only tell what is in it.
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
                 * @description Seconds to wait for its reply. Opens the web channel by itself.
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
                 * @description A position in the journal, or an ISO date or date-time (without an offset it is meant where the daemon lives): then the last fact whose time is not later counts, in the order of the journal, whatever the clock did.
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
                 * @description Only facts behind this position.
                 * @example 0
                 */
                readonly after?: number;
                /**
                 * @description Goes on with what is written from now on.
                 * @example false
                 */
                readonly follow?: boolean;
                /**
                 * @description The first moment that counts. An ISO date or date-time; without an offset it is meant where the daemon lives.
                 * @example 2026-11-01
                 */
                readonly from?: string;
                /**
                 * @description Only so many from the end, of those that are asked for.
                 * @example 1
                 */
                readonly last?: number;
                /**
                 * @description Only facts in whose words this stands, whatever their case and accents.
                 * @example Lisbon
                 */
                readonly q?: string;
                /**
                 * @description The first moment that counts no more. An ISO date or date-time; without an offset it is meant where the daemon lives.
                 * @example 2026-12-01
                 */
                readonly to?: string;
                /**
                 * @description Only these facts: names, with commas between them.
                 * @example text
                 */
                readonly type?: string;
                /**
                 * @description The last position that counts.
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
                 * @description Only those that come from this record of its journal.
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
                 * @description The diaries that only an older phrase opens are removed.
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
                 * @description Seconds to wait for its reply. Opens the web channel by itself.
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
                 * @description Only what has a smaller id.
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
                 * @description relevance where it is not given, but newest beside `before`: pages go by position, so that is how to see all there is.
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
                 * @description With every model call as it was sent and answered, as far as that is kept.
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
                 * @description The first moment that counts. An ISO date or date-time; without an offset it is meant where the daemon lives.
                 * @example 2026-11-01
                 */
                readonly from?: string;
                /**
                 * @description The first moment that counts no more. An ISO date or date-time; without an offset it is meant where the daemon lives.
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
                 * @description Every kept state is compared with a replay of all facts.
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
