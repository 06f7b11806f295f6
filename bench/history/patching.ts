/** Loaded before a server, it has the modules of the platform changed as the environment names it. */
import { register } from 'node:module';

register('./patching-hooks.js', import.meta.url);
