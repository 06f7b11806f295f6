/** Loaded before a program, it has the modules of the platform changed as the environment says. */
import { register } from 'node:module';

register('./hooks.js', import.meta.url);
