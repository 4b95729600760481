"""The server of the Model Context Protocol: a memory file as tools for any host. Imported on use, like all of its SDK.

    byheart mcp --memory me.db              # over standard input and output
    byheart mcp --memory me.db --http 127.0.0.1:8807

A tool is data (`tool.Tool`): names, schemas, limits, what it changes, and a function of a call. `registry` lists them,
`dispatch` checks and runs one call, and `sdk` is the only module that knows the SDK. No state is kept between calls:
what a call may see comes from the configuration of the process (`serving`), never from an argument.
"""
